"""Template of ``vivado/system.tcl``, which builds a complete system in a Vivado project."""

PROJECT = r"""
    # ${title} with ${top}: processing system, DMA, memories. Ends with
    # ${top}.bit and ${top}.hwh in the directory above, which is what PYNQ reads,
    # or with an error and neither file when the design is not routed or misses its clock.
    #   vivado -mode batch -source system.tcl
    # It needs the maker's board files (${board_part}), which have the DDR's timing.
    set here [file dirname [file normalize [info script]]]
    set root [file dirname $$here]
    set bitstream [file join $$root ${top}.bit]
    set handoff [file join $$root ${top}.hwh]
    # Files of an earlier run must not pass for the result of this one.
    file delete -force $$bitstream $$handoff
    create_project -force system [file join $$here system] -part ${part}
    set board [lindex [lsort [get_board_parts -quiet ${board_part}]] end]
    if {$$board eq ""} {
        error "no board files of ${board_part}: install them by Vivado's Tools, XHub Stores"
    }
    set_property board_part $$board [current_project]
    add_files [file join $$root ${top}.v]
    update_compile_order -fileset sources_1
    create_bd_design system

    # Clock and reset come from the processing system.
    create_bd_cell -type ip -vlnv xilinx.com:ip:zynq_ultra_ps_e ps
    apply_bd_automation -rule xilinx.com:bd_rule:zynq_ultra_ps_e \
        -config {apply_board_preset 1} [get_bd_cells ps]
    set_property -dict [list \
        CONFIG.PSU__FPGA_PL0_ENABLE 1 \
        CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ ${clock} \
        CONFIG.PSU__USE__M_AXI_GP0 1 \
        CONFIG.PSU__USE__M_AXI_GP1 0 \
        CONFIG.PSU__USE__M_AXI_GP2 0 \
        CONFIG.PSU__USE__IRQ0 1 \
        CONFIG.PSU__USE__IRQ1 0 \
        ${enabled} \
    ] [get_bd_cells ps]
    create_bd_cell -type ip -vlnv xilinx.com:ip:proc_sys_reset reset
    connect_bd_net [get_bd_pins ps/pl_clk0] [get_bd_pins reset/slowest_sync_clk]
    connect_bd_net [get_bd_pins ps/pl_resetn0] [get_bd_pins reset/ext_reset_in]
    proc clocked {args} {
        foreach pin $$args {
            connect_bd_net [get_bd_pins ps/pl_clk0] [get_bd_pins $$pin]
        }
    }
    proc reset_by {args} {
        foreach pin $$args {
            connect_bd_net [get_bd_pins reset/peripheral_aresetn] [get_bd_pins $$pin]
        }
    }
    proc joined {from to} {
        connect_bd_intf_net [get_bd_intf_pins $$from] [get_bd_intf_pins $$to]
    }
    # Masters to one or more slaves.
    proc switch_of {name masters slaves} {
        create_bd_cell -type ip -vlnv xilinx.com:ip:smartconnect $$name
        set_property -dict [list CONFIG.NUM_SI [llength $$masters] \
            CONFIG.NUM_MI [llength $$slaves] CONFIG.NUM_CLKS 1] [get_bd_cells $$name]
        clocked $$name/aclk
        reset_by $$name/aresetn
        set at 0
        foreach master $$masters {
            joined $$master [format %s/S%02d_AXI $$name $$at]
            incr at
        }
        set at 0
        foreach slave $$slaves {
            joined [format %s/M%02d_AXI $$name $$at] $$slave
            incr at
        }
    }
    # A DMA without scatter and gather. send and receive are the widths of its streams in bits, 0
    # for a direction that it has not. Its memory side is as wide as the stream, at least 32 bits.
    # Transfers begin and end at any byte, but with streams of more than 512 bits, for which the
    # DMA has no realignment: there they begin at a multiple of the stream's width.
    proc dma_of {name send receive} {
        create_bd_cell -type ip -vlnv xilinx.com:ip:axi_dma $$name
        set cell [get_bd_cells $$name]
        set_property -dict [list CONFIG.c_include_sg 0 CONFIG.c_sg_length_width 26 \
            CONFIG.c_include_mm2s [expr {$$send > 0}] \
            CONFIG.c_include_s2mm [expr {$$receive > 0}]] $$cell
        clocked $$name/s_axi_lite_aclk
        reset_by $$name/axi_resetn
        if {$$send} {
            set_property -dict [list \
                CONFIG.c_m_axi_mm2s_data_width [expr {$$send > 32 ? $$send : 32}] \
                CONFIG.c_m_axis_mm2s_tdata_width $$send \
                CONFIG.c_include_mm2s_dre [expr {$$send <= 512}]] $$cell
            clocked $$name/m_axi_mm2s_aclk
        }
        if {$$receive} {
            set_property -dict [list \
                CONFIG.c_m_axi_s2mm_data_width [expr {$$receive > 32 ? $$receive : 32}] \
                CONFIG.c_include_s2mm_dre [expr {$$receive <= 512}]] $$cell
            clocked $$name/m_axi_s2mm_aclk
        }
    }
    # A controller in the logic joins the interrupts: PYNQ finds no interrupt without a controller.
    proc interrupts_of {name pins} {
        create_bd_cell -type ip -vlnv xilinx.com:ip:axi_intc $$name
        set_property CONFIG.C_IRQ_CONNECTION 1 [get_bd_cells $$name]
        clocked $$name/s_axi_aclk
        reset_by $$name/s_axi_aresetn
        create_bd_cell -type ip -vlnv xilinx.com:ip:xlconcat $${name}_concat
        set_property CONFIG.NUM_PORTS [llength $$pins] [get_bd_cells $${name}_concat]
        set at 0
        foreach pin $$pins {
            connect_bd_net [get_bd_pins $$pin] [get_bd_pins $${name}_concat/In$$at]
            incr at
        }
        connect_bd_net [get_bd_pins $${name}_concat/dout] [get_bd_pins $$name/intr]
        connect_bd_net [get_bd_pins $$name/irq] [get_bd_pins ps/pl_ps_irq0]
    }

    # The engine; its interfaces have the names that the attributes of its ports say.
    create_bd_cell -type module -reference ${top} engine
    clocked engine/aclk
    reset_by engine/aresetn
    ${engine}

    # Interrupts, the first one is number 0 of the controller.
    ${interrupts}

    # Registers: engine, DMAs and the interrupt controller, from ${base} on.
    clocked ps/maxihpm0_fpd_aclk
    ${control}
    ${addresses}

    # Memory of the processing system.
    ${memories}
    assign_bd_address
    validate_bd_design
    save_bd_design
    make_wrapper -files [get_files system.bd] -top -import
    set_property top system_wrapper [current_fileset]

    launch_runs impl_1 -to_step write_bitstream -jobs 4
    wait_on_run impl_1
    set run [get_runs impl_1]
    if {[get_property PROGRESS $$run] ne "100%"} {
        error "no bitstream: see the log of impl_1 in [file join $$here system]"
    }
    # A bitstream is written for a design that misses its clock, too.
    foreach {name what least most} {
        STATS.WNS "worst setup slack in ns" 0 inf
        STATS.WHS "worst hold slack in ns" 0 inf
        STATS.TPWS "sum of pulse width violations in ns" 0 inf
        STATS.FAILED_NETS "nets without a route" 0 0
    } {
        set value [get_property $$name $$run]
        if {![string is double -strict $$value] || $$value < $$least || $$value > $$most} {
            error "no bitstream: $$what: '$$value', see timing_summary_routed.rpt of impl_1 in\
                [file join $$here system]; lower the clock, or build a smaller design"
        }
    }
    set made [file join $$here system system]
    # The bitstream comes last, so it is never without its handoff.
    file copy -force [file join $$made.gen sources_1 bd system hw_handoff system.hwh] $$handoff
    file copy -force [file join $$made.runs impl_1 system_wrapper.bit] $$bitstream
    """
