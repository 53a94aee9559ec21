"""Adds attributes to a top's ports, which tell Vivado's IP packager the interface of each port."""


def add_attributes(top, buses, clock="aclk", reset="aresetn"):
    """Adds the attributes to every port of ``top``.

    Parameters
    ----------
    top : component
        Has the ports of ``buses``, clock and reset, and may have ``interrupt``.
    buses : sequence of rtl.bus.ports.Bus
    clock, reset : str
        Names of the ports of the clock and of the reset.
    """
    for bus in buses:
        for role, port in zip(bus.members, bus.ports, strict=True):
            getattr(top, port).attrs["X_INTERFACE_INFO"] = (
                f"xilinx.com:interface:{bus.kind}:1.0 {bus.name.upper()} {role.upper()}"
            )
    associated = ":".join(bus.name.upper() for bus in buses)
    clock_port = getattr(top, clock)
    reset_port = getattr(top, reset)
    clock_port.attrs["X_INTERFACE_INFO"] = f"xilinx.com:signal:clock:1.0 {clock} CLK"
    clock_port.attrs["X_INTERFACE_PARAMETER"] = (
        f"ASSOCIATED_BUSIF {associated}, ASSOCIATED_RESET {reset}"
    )
    reset_port.attrs["X_INTERFACE_INFO"] = f"xilinx.com:signal:reset:1.0 {reset} RST"
    reset_port.attrs["X_INTERFACE_PARAMETER"] = "POLARITY ACTIVE_LOW"
    if "interrupt" in top.signature.members:
        info = "xilinx.com:signal:interrupt:1.0 interrupt INTERRUPT"
        top.interrupt.attrs["X_INTERFACE_INFO"] = info
        top.interrupt.attrs["X_INTERFACE_PARAMETER"] = "SENSITIVITY LEVEL_HIGH"
