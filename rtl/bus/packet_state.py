"""Tracks the packets of a stream of transfers, also packets that are cut in their middle."""


def packet_state(m, fires, last, clear):
    """Adds a state machine to ``m``; returns two bits: high in state BETWEEN, high in state CUT.

    The states are:

    - BETWEEN: the next transfer begins a packet.
    - PACKET: the next transfer continues a packet.
    - CUT: the next transfer continues a packet, and a ``clear`` came in the middle of that packet.

    A ``clear`` cuts only a packet that continues after the cycle of the ``clear``. For instance
    three packets, whose last transfers have a ``|``; the second is not cut, because it ends in the
    cycle of a ``clear``::

        fires    w   w   w|      w|  w   w   w|
        clear        c           c   c
        BETWEEN  x           x   x   x           x
        CUT              x               x   x

    Parameters
    ----------
    fires : Value
        A transfer takes place.
    last : Value
        The transfer ends its packet.
    clear : Value
        The current packet is cut after this cycle.
    """
    ends_packet = fires & last
    begins_packet = fires & ~last
    with m.FSM() as fsm:
        with m.State("BETWEEN"), m.If(begins_packet):
            m.next = "PACKET"
            with m.If(clear):
                m.next = "CUT"
        with m.State("PACKET"):
            with m.If(ends_packet):
                m.next = "BETWEEN"
            with m.Elif(clear):
                m.next = "CUT"
        with m.State("CUT"), m.If(ends_packet):
            m.next = "BETWEEN"
    return fsm.ongoing("BETWEEN"), fsm.ongoing("CUT")
