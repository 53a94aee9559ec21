# Stands for Quartus's Tcl shells: every command that Tcl itself has not is written down, one line
# each, and so is what would be run.
#   tclsh quartus_stub.tcl SCRIPT RECORD
lassign $argv script record
set recorded [open $record w]
namespace eval ::quartus {}
array set ::quartus {quartus_rootpath /opt/quartus}
proc unknown {command args} {
    global recorded
    puts $recorded [list $command {*}$args]
    return ""
}
rename exec builtin_exec
proc exec {args} {
    global recorded
    puts $recorded [list exec {*}$args]
}
rename package builtin_package
proc package {action args} {
    global recorded
    if {$action eq "require"} {
        puts $recorded [list package $action {*}$args]
        return
    }
    uplevel 1 [list builtin_package $action {*}$args]
}
set argv {}
info script $script
source $script
close $recorded
