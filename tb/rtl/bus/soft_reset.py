"""Checks of the packets around a soft reset."""


def cut_packet(packets, old_answers, new_answers):
    """Returns True if the reset cut a packet; raises AssertionError if the packets are wrong.

    ``old_answers`` and ``new_answers`` are the complete answers of the streams that began before
    and after the reset. All ``new_answers`` must appear, at the end of ``packets``. Only the first
    of ``old_answers`` need to appear, and the last packet of these may be short.
    """
    old_count = len(packets) - len(new_answers)
    assert packets[old_count:] == new_answers
    old_packets = packets[:old_count]
    assert len(old_packets) <= len(old_answers)
    if not old_packets:
        return False
    uncut = old_answers[len(old_packets) - 1]
    assert old_packets[:-1] == old_answers[: len(old_packets) - 1]
    assert old_packets[-1] == uncut[: len(old_packets[-1])]
    return old_packets[-1] != uncut
