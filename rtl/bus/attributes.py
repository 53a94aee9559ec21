"""What Vivado's IP packager reads off a top's ports: which belongs to which interface."""


def add_attributes(top, buses):
    """Gives every port of ``top`` its attributes.

    Parameters
    ----------
    top : component
        With the flat ports of ``buses``, ``aclk`` and ``aresetn``.
    buses : sequence of str
        Names of the buses, which are prefixes of their ports.
    """
    for path, _, port in top.signature.flatten(top):
        if bus := bus_of(path[0], buses):
            kind = "axis:1.0" if "_axis" in bus else "aximm:1.0"
            role = path[0].removeprefix(f"{bus}_")
            port.attrs["X_INTERFACE_INFO"] = (
                f"xilinx.com:interface:{kind} {bus.upper()} {role.upper()}"
            )
    top.aclk.attrs["X_INTERFACE_INFO"] = "xilinx.com:signal:clock:1.0 aclk CLK"
    top.aclk.attrs["X_INTERFACE_PARAMETER"] = (
        f"ASSOCIATED_BUSIF {':'.join(bus.upper() for bus in buses)}, ASSOCIATED_RESET aresetn"
    )
    top.aresetn.attrs["X_INTERFACE_INFO"] = "xilinx.com:signal:reset:1.0 aresetn RST"
    top.aresetn.attrs["X_INTERFACE_PARAMETER"] = "POLARITY ACTIVE_LOW"


def bus_of(port, buses):
    """The bus that a port belongs to: the longest name of one that it begins with, or None."""
    able = [bus for bus in buses if port.startswith(f"{bus}_")]
    return max(able, key=len, default=None)
