"""AXI4-Stream, as pins have it."""


def axi_stream_members(width, direction, user=0):
    """Ports of an AXI4-Stream of ``width`` bytes, by their AXI names, seen from one end.

    ``direction`` is In for a slave and Out for a master; ``user`` the width of ``tuser``, which is
    there when it is not 0.
    """
    members = {
        "tvalid": direction(1),
        "tready": direction.flip()(1),
        "tdata": direction(8 * width),
        "tkeep": direction(width),
        "tlast": direction(1),
    }
    return members | ({"tuser": direction(user)} if user else {})
