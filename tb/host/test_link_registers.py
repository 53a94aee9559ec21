"""The registers of a host link: written for a program, watched in a stream, and restored."""

import pytest

from host import DeviceError, HostError
from host.udp_board import UdpBoard
from tb.host.link_stand_in import (
    DESCRIPTION,
    REGISTERS,
    LinkStandIn,
    check,
    transfer,
    tuples_of,
)


@pytest.mark.parametrize(("chosen", "written"), [(None, 10_000), (0, 0), (77, 77)])
def test_the_time_after_which_rows_leave_is_written(chosen, written):
    with LinkStandIn() as link:
        link.values["flush_cycles"] = 5
        board = UdpBoard(DESCRIPTION, link.at, flush_cycles=chosen)
        assert link.values["flush_cycles"] == written
        board.close()
        assert link.values["flush_cycles"] == 5


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("magic", 0xFFFF_FFFF, "no engine answers: magic reads 0xffffffff, not 0x00000000"),
        ("configuration", 5, "another design answers: configuration reads 0x00000005"),
    ],
)
def test_nothing_is_written_to_another_device(name, value, message):
    """The host class writes nothing, even if the device seems busy: registers that read as ones."""
    with LinkStandIn() as link:
        link._is_in_stream = True
        link.values |= {name: value, "to_port": 7, "numbered": 0}
        old_values = dict(link.values)
        with pytest.raises(DeviceError, match=f"^{message}"):
            UdpBoard(DESCRIPTION, link.at, seconds=0.3)
        assert link.values == old_values


@pytest.mark.parametrize("flush_cycles", [-1, 1 << 32, 1.5])
def test_a_time_that_no_register_holds_is_refused(flush_cycles):
    text = f"^flush_cycles must be a whole number from 0, not {flush_cycles}$"
    with pytest.raises(HostError, match=text):
        UdpBoard(DESCRIPTION, "udp://127.0.0.1", flush_cycles=flush_cycles)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), "10", None, True])
def test_a_time_limit_that_is_no_time_is_refused(seconds):
    """NaN would never end a wait."""
    with pytest.raises(HostError, match=f"^seconds must be a number above 0, not {seconds!r}$"):
        UdpBoard(DESCRIPTION, "udp://127.0.0.1", seconds=seconds)


def test_registers_that_change():
    """A setting that another write has changed is written again; during a stream it is an error."""
    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at)
        board.write(REGISTERS["size"], 7)
        link.values["size"] = 5
        tuples = tuples_of(100)
        check(link, transfer(board, tuples), tuples)
        assert link.values["size"] == 7

        def finished():
            link.values["size"] = 6
            return True

        with pytest.raises(DeviceError, match="registers have changed: size is 6, not 7; has the"):
            board.transfer(tuples, finished)
        board.close()


def test_control_has_no_value_that_must_stay():
    """A stream runs after a soft reset by the register ``control``, which reads as 0."""
    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at)
        board.write(REGISTERS["control"], 1)
        assert link.counters["resets"] == 1
        tuples = tuples_of(100)
        check(link, transfer(board, tuples), tuples)
        board.close()


@pytest.mark.parametrize("ignored", [2, 3])
def test_a_register_is_written_again_up_to_three_times(monkeypatch, ignored):
    """The engine ignores two or three writes: the third rewrite counts, and there is no fourth."""
    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at)
        board.write(REGISTERS["size"], 7)
        link.values["size"] = 5
        port = board._registers._port
        write, ignored_writes = port.write, iter(range(ignored))
        monkeypatch.setattr(
            port,
            "write",
            lambda *access: write(*access) if next(ignored_writes, None) is None else None,
        )
        tuples = tuples_of(100)
        if ignored == 3:
            with pytest.raises(DeviceError, match=r"registers have changed: size is 5, not 7; has"):
                transfer(board, tuples)
        else:
            check(link, transfer(board, tuples), tuples)
        board.close()


def test_the_link_is_as_before_after_close():
    with LinkStandIn() as link:
        link.values |= {"to_address": 0x0A000002, "to_port": 4002, "to_mac_low": 5}
        before = dict(link.values)
        board = UdpBoard(DESCRIPTION, link.at, here=("127.0.0.1", 0))
        during = dict(link.values)
        board.close()
        board.close()
    assert during["numbered"] == 3
    assert during["to_address"] == 0x7F000001
    assert (during["to_mac_low"], during["to_mac_high"]) == (0xFFFF_FFFF, 0xFFFF)
    assert link.values == before


def test_an_engine_that_has_gone_is_closed():
    """``close`` cannot restore the registers of the engine, and raises no error."""
    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at, seconds=0.2)
        link.is_silent = True
        board.close()
        assert board._link.is_closed
        assert link.values["numbered"] == 3


@pytest.mark.parametrize(("mac", "during"), [(5, (5, 0)), (0, (0xFFFF_FFFF, 0xFFFF))])
def test_the_mac_of_this_machine_stays(mac, during):
    """If rows went to this machine already, a MAC that is not 0 is right."""
    with LinkStandIn() as link:
        link.values |= {"to_address": 0x7F000001, "to_mac_low": mac}
        board = UdpBoard(DESCRIPTION, link.at, here=("127.0.0.1", 0))
        assert (link.values["to_mac_low"], link.values["to_mac_high"]) == during
        board.close()
        assert (link.values["to_mac_low"], link.values["to_mac_high"]) == (mac, 0)


def test_an_address_that_was_zero_stays_that_of_the_program():
    """The hardware refuses an address and a port of 0, which no program can have written."""
    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at, here=("127.0.0.1", 0))
        during = dict(link.values)
        board.close()
        names = ("to_address", "to_port")
        assert [link.values[name] for name in names] == [during[name] for name in names]
