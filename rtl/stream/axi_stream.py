"""The ports of an AXI4-Stream."""


def axi_stream_members(width, direction, user=0):
    """Returns the ports of an AXI4-Stream of ``width`` bytes, by their AXI names, seen from one
    end.

    ``direction`` is In for a slave and Out for a master. ``user`` is the width of ``tuser``; a
    width of 0 means no ``tuser``.
    """
    members = {
        "tvalid": direction(1),
        "tready": direction.flip()(1),
        "tdata": direction(8 * width),
        "tkeep": direction(width),
        "tlast": direction(1),
    }
    return members | ({"tuser": direction(user)} if user else {})
