"""What must come out around a soft reset."""


def cut_packet(packets, before, after):
    """Whether the reset cut a packet; raises AssertionError when the packets are not as they must.

    ``before`` and ``after`` are the whole answers of the streams that began before and behind it.
    Of ``before`` the first packets come, up to any; the last one may be short.
    """
    old = len(packets) - len(after)
    assert packets[old:] == after
    head = packets[:old]
    assert len(head) <= len(before)
    if not head:
        return False
    whole = before[len(head) - 1]
    assert head[:-1] == before[: len(head) - 1]
    assert head[-1] == whole[: len(head[-1])]
    return head[-1] != whole
