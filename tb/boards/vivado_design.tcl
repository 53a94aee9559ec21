# Block designs: cells, pins and nets. A command that Vivado refuses is an error, and so is a command
# for which Vivado prints only a warning and returns an empty list. validate_bd_design fails if a pin
# that needs a connection has none.

array set kinds {}
array set configs {}
array set modules {}
array set peers {}
array set drivers {}
array set segments {}
set sources {}

proc add_files {path} {
    global sources
    note add_files $path
    lappend sources $path
}

proc create_bd_cell {args} {
    global kinds configs defaults modules sources
    note create_bd_cell {*}$args
    set name [lindex $args end]
    set options [lrange $args 0 end-1]
    if {[info exists kinds($name)]} { error "there is a cell $name" }
    if {[dict get $options -type] eq "module"} {
        set top [dict get $options -reference]
        foreach path $sources {
            if {[file tail $path] eq "$top.v"} {
                set modules($name) [pins_of_module $path $top]
            }
        }
        if {![info exists modules($name)]} { error "no source of module $top was added" }
        set kinds($name) module
        return $name
    }
    lassign [split [dict get $options -vlnv] :] vendor library kind
    if {"$vendor:$library" ne "xilinx.com:ip" || ![info exists defaults($kind)]} {
        error "no IP [dict get $options -vlnv]"
    }
    set kinds($name) $kind
    set configs($name) $defaults($kind)
    return $name
}

proc apply_bd_automation {args} {
    note apply_bd_automation {*}$args
    if {[lindex $args end] eq ""} { error "no cell for the automation" }
}

proc set_property {args} {
    global kinds configs
    note set_property {*}$args
    set object [lindex $args end]
    set values [lrange $args 0 end-1]
    if {[lindex $values 0] eq "-dict"} { set values [lindex $values 1] }
    foreach {name value} $values {
        if {![string match CONFIG.* $name]} { continue }
        set name [string range $name [string length CONFIG.] end]
        if {![info exists configs($object)]} { error "no cell $object" }
        if {![dict exists $configs($object) $name]} {
            error "$kinds($object) $object has no parameter $name"
        }
        dict set configs($object) $name $value
    }
}

proc pins {cell} {
    global kinds configs modules
    if {![info exists kinds($cell)]} { error "no cell $cell" }
    if {$kinds($cell) eq "module"} { return $modules($cell) }
    return [pins_of_$kinds($cell) $configs($cell)]
}

# Returns the description of a pin, such as engine/S_AXIS; an error if no pin has the name.
proc pin {name} {
    lassign [split $name /] cell pin
    set known [pins $cell]
    if {![dict exists $known $pin]} { error "no pin $name: $cell has [lsort [dict keys $known]]" }
    return [dict get $known $pin]
}

proc get_bd_cells {name} {
    global kinds
    if {![info exists kinds($name)]} { error "no cell $name" }
    return $name
}

proc get_bd_pins {name} {
    if {[lindex [pin $name] 0] eq "interface"} { error "$name is an interface, and no pin" }
    return $name
}

proc get_bd_intf_pins {name} {
    if {[lindex [pin $name] 0] ne "interface"} { error "$name is a pin, and no interface" }
    return $name
}

proc connect_bd_net {source sink} {
    global drivers
    note connect_bd_net $source $sink
    lassign [pin $source] way kind
    lassign [pin $sink] sink_way sink_kind
    if {$way ne "out" || $sink_way ne "in"} { error "$source to $sink: not from out to in" }
    if {$kind ne $sink_kind} { error "$source is a $kind and $sink a $sink_kind" }
    if {[info exists drivers($sink)]} { error "$sink has two drivers: $drivers($sink), $source" }
    set drivers($sink) $source
}

proc connect_bd_intf_net {master slave} {
    global peers kinds configs
    note connect_bd_intf_net $master $slave
    lassign [pin $master] _ mode kind bits
    lassign [pin $slave] _ slave_mode slave_kind slave_bits
    if {$mode ne "master" || $slave_mode ne "slave"} { error "$master to $slave: master to slave" }
    if {$kind ne $slave_kind} { error "$master is $kind and $slave $slave_kind" }
    if {$bits && $slave_bits && $bits != $slave_bits} {
        error "$master has $bits bits and $slave $slave_bits"
    }
    foreach {one other} [list $master $slave $slave $master] {
        if {[info exists peers($one)]} { error "$one is connected to $peers($one) and $other" }
        set peers($one) $other
    }
    lassign [split $slave /] cell pin
    if {$kinds($cell) eq "axi_dma"} { check_stream_of_axi_dma $configs($cell) $pin $bits }
}

proc get_bd_addr_segs {of interface} {
    lassign [pin $interface] _ mode kind
    if {$of ne "-of_objects" || $mode ne "slave" || $kind ne "aximm"} {
        error "$interface has no address segment"
    }
    return $interface/reg0
}

proc get_bd_addr_spaces {space} {
    if {$space ne "ps/Data"} { error "no address space $space" }
    return $space
}

proc assign_bd_address {args} {
    global segments
    note assign_bd_address {*}$args
    if {![llength $args]} { return }
    set segment [lindex $args end]
    if {[info exists segments($segment)]} { error "$segment has an address" }
    set segments($segment) [dict get [lrange $args 0 end-1] -offset]
}

proc validate_bd_design {args} {
    global kinds peers drivers
    note validate_bd_design {*}$args
    foreach cell [lsort [array names kinds]] {
        dict for {pin description} [pins $cell] {
            lassign $description way kind optional
            set name $cell/$pin
            if {$way eq "interface" && ![info exists peers($name)]} { error "$name is open" }
            if {$way eq "in" && $optional eq "" && ![info exists drivers($name)]} {
                error "$name has no driver"
            }
        }
    }
    # Connected pins must still exist: setting a parameter may have removed a pin.
    foreach name [concat [array names peers] [array names drivers]] { pin $name }
}
