# Stands for ISE's xtclsh: every command of a project is written down, one line each.
#   tclsh ise_stub.tcl SCRIPT RECORD [STATUS]
lassign $argv script record status
if {$status eq ""} { set status up_to_date }
set recorded [open $record w]
proc note {args} {
    global recorded
    puts $recorded $args
    flush $recorded
}
proc project {args} { note project {*}$args }
proc xfile {args} { note xfile {*}$args }
proc process {action args} {
    global status
    note process $action {*}$args
    return [expr {$action eq "run" ? [string equal $status up_to_date] : $status}]
}
set argv {}
info script $script
source $script
close $recorded
