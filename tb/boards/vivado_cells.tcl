# Cells of block designs that the scripts use: their parameters, and the pins for given parameters.
# Sources: Vivado's product guides PG201 (Zynq UltraScale+), PG021 (AXI DMA), PG247 (SmartConnect),
# PG164 (Processor System Reset), PG099 (AXI Interrupt Controller), and UG994 for module references.
#
# pins_of_<kind> CONFIG returns a dictionary from a pin's name to
#   {interface master|slave axis|aximm BITS}     BITS of a stream's data, 0 where any fits
#   {in|out clock|reset|interrupt|data ?optional?}

# Parameters with the values of a new cell. The board's files decide a "preset" value, so a script
# must set the parameter before it relies on the value.
array set defaults {
    zynq_ultra_ps_e {
        PSU__FPGA_PL0_ENABLE preset  PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ preset
        PSU__USE__M_AXI_GP0 preset  PSU__USE__M_AXI_GP1 preset  PSU__USE__M_AXI_GP2 preset
        PSU__USE__S_AXI_GP2 preset  PSU__USE__S_AXI_GP3 preset  PSU__USE__S_AXI_GP4 preset
        PSU__USE__S_AXI_GP5 preset  PSU__USE__IRQ0 preset  PSU__USE__IRQ1 preset
    }
    proc_sys_reset {}
    smartconnect {NUM_SI 2 NUM_MI 1 NUM_CLKS 1}
    axi_dma {
        c_include_sg 1  c_sg_length_width 14  c_include_mm2s 1  c_include_s2mm 1
        c_include_mm2s_dre 0  c_include_s2mm_dre 0  c_m_axi_mm2s_data_width 32
        c_m_axi_s2mm_data_width 32  c_m_axis_mm2s_tdata_width 32
    }
    axi_intc {C_IRQ_CONNECTION 0}
    xlconcat {NUM_PORTS 2}
}

proc flag {config name} {
    set value [dict get $config $name]
    if {$value ni {0 1}} { error "CONFIG.$name must be set to 0 or 1, and is $value" }
    return $value
}

proc within {config name least most} {
    set value [dict get $config $name]
    if {![string is integer -strict $value] || $value < $least || $value > $most} {
        error "CONFIG.$name must be from $least to $most, not $value"
    }
    return $value
}

proc pins_of_zynq_ultra_ps_e {config} {
    set pins {}
    if {[flag $config PSU__FPGA_PL0_ENABLE]} { dict set pins pl_clk0 {out clock} }
    dict set pins pl_resetn0 {out reset}
    foreach {parameter name} {M_AXI_GP0 HPM0_FPD M_AXI_GP1 HPM1_FPD M_AXI_GP2 HPM0_LPD} {
        if {[flag $config PSU__USE__$parameter]} {
            dict set pins M_AXI_$name {interface master aximm 0}
            dict set pins maxi[string tolower $name]_aclk {in clock}
        }
    }
    foreach k {0 1 2 3} {
        if {[flag $config PSU__USE__S_AXI_GP[expr {$k + 2}]]} {
            dict set pins S_AXI_HP${k}_FPD {interface slave aximm 0}
            dict set pins saxihp${k}_fpd_aclk {in clock}
        }
    }
    foreach k {0 1} {
        if {[flag $config PSU__USE__IRQ$k]} { dict set pins pl_ps_irq$k {in interrupt} }
    }
    return $pins
}

proc pins_of_proc_sys_reset {config} {
    return {
        slowest_sync_clk {in clock}  ext_reset_in {in reset}
        aux_reset_in {in reset optional}  mb_debug_sys_rst {in reset optional}
        dcm_locked {in data optional}  mb_reset {out reset}  bus_struct_reset {out reset}
        peripheral_reset {out reset}  interconnect_aresetn {out reset}
        peripheral_aresetn {out reset}
    }
}

proc pins_of_smartconnect {config} {
    set pins {aclk {in clock} aresetn {in reset}}
    for {set k 1} {$k < [within $config NUM_CLKS 1 8]} {incr k} { dict set pins aclk$k {in clock} }
    for {set k 0} {$k < [within $config NUM_SI 1 16]} {incr k} {
        dict set pins [format S%02d_AXI $k] {interface slave aximm 0}
    }
    for {set k 0} {$k < [within $config NUM_MI 1 16]} {incr k} {
        dict set pins [format M%02d_AXI $k] {interface master aximm 0}
    }
    return $pins
}

proc pins_of_axi_dma {config} {
    within $config c_sg_length_width 8 26
    set pins {
        S_AXI_LITE {interface slave aximm 0}  s_axi_lite_aclk {in clock}  axi_resetn {in reset}
    }
    if {[flag $config c_include_sg]} {
        dict set pins M_AXI_SG {interface master aximm 0}
        dict set pins m_axi_sg_aclk {in clock}
    }
    set any 0
    foreach {way Way stream side} {mm2s MM2S M_AXIS_MM2S master s2mm S2MM S_AXIS_S2MM slave} {
        if {![flag $config c_include_$way]} { continue }
        set any 1
        set memory [dict get $config c_m_axi_${way}_data_width]
        if {$memory ni {32 64 128 256 512 1024}} {
            error "CONFIG.c_m_axi_${way}_data_width must be a power of two from 32 to 1024,\
                not $memory"
        }
        set bits 0
        if {$way eq "mm2s"} {
            set bits [dict get $config c_m_axis_mm2s_tdata_width]
            if {$bits ni {8 16 32 64 128 256 512 1024} || $bits > $memory} {
                error "CONFIG.c_m_axis_mm2s_tdata_width must be a power of two from 8 to\
                    c_m_axi_mm2s_data_width, which is $memory, not $bits"
            }
        }
        if {[flag $config c_include_${way}_dre] && $bits > 512} {
            error "CONFIG.c_include_${way}_dre must be 0: streams of $bits bits have no realignment"
        }
        dict set pins $stream [list interface $side axis $bits]
        dict set pins M_AXI_$Way {interface master aximm 0}
        dict set pins m_axi_${way}_aclk {in clock}
        dict set pins ${way}_introut {out interrupt}
        dict set pins ${way}_prmry_reset_out_n {out reset}
    }
    if {!$any} { error "an AXI DMA must have c_include_mm2s or c_include_s2mm" }
    return $pins
}

# Returns the required width of the memory side, which follows from the peer of the S2MM stream.
proc check_stream_of_axi_dma {config pin bits} {
    if {$pin ne "S_AXIS_S2MM"} { return }
    set memory [dict get $config c_m_axi_s2mm_data_width]
    if {$bits > $memory} {
        error "CONFIG.c_m_axi_s2mm_data_width is $memory: narrower than its stream of $bits bits"
    }
    if {$bits > 512 && [flag $config c_include_s2mm_dre]} {
        error "CONFIG.c_include_s2mm_dre must be 0: streams of $bits bits have no realignment"
    }
}

proc pins_of_axi_intc {config} {
    set pins {
        s_axi {interface slave aximm 0}  s_axi_aclk {in clock}  s_axi_aresetn {in reset}
        intr {in interrupt}
    }
    # Without this parameter the output is an interface for a MicroBlaze.
    if {[flag $config C_IRQ_CONNECTION]} {
        dict set pins irq {out interrupt}
    } else {
        dict set pins interrupt {interface master mbinterrupt 0}
    }
    return $pins
}

proc pins_of_xlconcat {config} {
    set pins {dout {out interrupt}}
    for {set k 0} {$k < [within $config NUM_PORTS 1 128]} {incr k} {
        dict set pins In$k {in interrupt}
    }
    return $pins
}

# Returns the pins of a module reference, which the attributes of the Verilog's ports declare.
proc pins_of_module {path top} {
    set source [open $path]
    set text [read $source]
    close $source
    if {![regexp "\nmodule $top\\\(.*?\nendmodule" $text body]} { error "no module $top in $path" }
    set pins {}
    set info ""
    set parameters ""
    foreach line [split $body \n] {
        if {[regexp {^  \(\* X_INTERFACE_INFO = "(.*)" \*\)$} $line -> info]} { continue }
        if {[regexp {^  \(\* X_INTERFACE_PARAMETER = "(.*)" \*\)$} $line -> parameters]} { continue }
        set declared {^  (input|output) (?:\[(\d+):0\] )?(\w+);$}
        if {![regexp $declared $line -> way top_bit port]} { continue }
        set way [expr {$way eq "input" ? "in" : "out"}]
        if {$info eq ""} {
            error "port $port of $top has no X_INTERFACE_INFO"
        }
        lassign $info vlnv name role
        lassign [split $vlnv :] vendor library kind version
        if {$library eq "signal"} {
            dict set pins $port [list $way $kind]
            if {$kind eq "clock"} { set associated [association $parameters] }
        } else {
            set roles($name,$role) [list $way [expr {$top_bit eq "" ? 1 : $top_bit + 1}]]
            set buses($name) $kind
        }
        set info ""
        set parameters ""
    }
    foreach {name kind} [array get buses] {
        if {$name ni $associated} { error "$name is in no ASSOCIATED_BUSIF of a clock of $top" }
        set leading [expr {$kind eq "axis" ? "TVALID" : [info exists roles($name,AWVALID)] ?
            "AWVALID" : "ARVALID"}]
        lassign $roles($name,$leading) way
        set bits [expr {$kind eq "axis" ? [lindex $roles($name,TDATA) 1] : 0}]
        dict set pins $name [list interface [expr {$way eq "in" ? "slave" : "master"}] $kind $bits]
    }
    foreach name $associated {
        if {![info exists buses($name)]} { error "ASSOCIATED_BUSIF names $name, which is no bus" }
    }
    return $pins
}

proc association {parameters} {
    foreach item [split $parameters ,] {
        lassign [string trim $item] key value
        if {$key eq "ASSOCIATED_BUSIF"} { return [split $value :] }
    }
    return {}
}
