"""The back end by UDP against a plain model of the link that loses, doubles and swaps datagrams."""

import socket
import struct

import numpy as np
import pytest

from host import DeviceError, HangError, HostError
from host.datagram_port import UdpPort
from host.etherbone import answered_values, request
from host.link_registers import LinkRegisters
from host.register_port import RegisterPort
from host.row_datagrams import RowDatagrams
from host.tuple_window import TupleWindow
from host.udp_board import UdpBoard
from tb.host.link_stand_in import (
    BUSY,
    DESCRIPTION,
    REGISTERS,
    LinkStandIn,
    check,
    transfer,
    tuples_of,
)
from tb.host.losses import result_of


@pytest.mark.parametrize("count", [0, 1, 122, 123, 20_000])
def test_streams_after_each_other(count):
    """Without a loss nothing is repaired, and the buffer of the engine never overflows."""
    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at)
        for seed in range(2):
            tuples = tuples_of(count, seed)
            check(link, transfer(board, tuples), tuples)
            assert board.link_counts() == {
                "tuple_datagrams_sent_again": 0,
                "row_datagrams_repeated": 0,
                "row_datagrams_foreign": 0,
                "requests_sent_again": 0,
            }
        board.close()
    assert link.counters == {}


@pytest.mark.in_turn
@pytest.mark.parametrize("drain", [1, 64])
def test_lost_doubled_and_swapped_tuples_and_requests(drain):
    """The rows are right although one of ten datagrams is lost, doubled or swapped."""
    share = 0.033
    with LinkStandIn(share, seed=drain, drain=drain, rows=0.0) as link:
        board = UdpBoard(DESCRIPTION, link.at)
        for seed in range(2):
            tuples = tuples_of(8_000, seed)
            check(link, transfer(board, tuples), tuples)
            counts = board.link_counts()
            assert counts["tuple_datagrams_sent_again"] > 0
            assert counts["row_datagrams_repeated"] == 0
        board.close()
    assert link.counters["overflow"] == 0
    for kind in ("lost", "doubled", "swapped"):
        assert all(link.wires[name].counts[kind] for name in ("requests", "answers", "tuples"))


@pytest.mark.in_turn
def test_lost_rows_are_reported():
    """The error has the number of lost datagrams; doubled and swapped ones change no row."""
    lost_runs = whole_runs = 0
    with LinkStandIn(rows=0.015) as link:
        board = UdpBoard(DESCRIPTION, link.at)
        for run in range(12):
            tuples = tuples_of(6_000, run)
            old_counts = link.wires["rows"].counts.copy()
            packets, error = result_of(lambda tuples=tuples: transfer(board, tuples))
            if error is not None:
                lost = (link.wires["rows"].counts - old_counts)["lost"]
                is_delayed = link.wires["rows"]._delayed is not None  # as good as lost
                assert error.datagrams == lost + is_delayed
                assert str(error).startswith(f"{error.datagrams} of 51 datagrams of rows were lost")
                lost_runs += 1
                link.accepted_tuples.clear()
            else:
                check(link, packets, tuples)
                whole_runs += 1
                doubled = (link.wires["rows"].counts - old_counts)["doubled"]
                assert board.link_counts()["row_datagrams_repeated"] == doubled
        board.close()
    assert lost_runs
    assert whole_runs


def test_foreign_datagrams_are_counted():
    """A datagram that is too short follows each datagram of rows, and the end of the stream.

    100 rows are one datagram, and 200 rows are two. The board may be done before the last one.
    """
    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at)
        link.wires["rows"].passed = lambda datagram: [datagram, b"short"]
        for count, datagrams in ((100, 1), (200, 2)):
            tuples = tuples_of(count)
            check(link, transfer(board, tuples), tuples)
            assert board.link_counts()["row_datagrams_foreign"] in (datagrams, datagrams + 1)
        board.close()


def test_an_interrupt_while_a_board_is_opened(monkeypatch):
    """The registers have the values that they had before, such as the address of another host."""
    earlier = {"to_address": 0x0A_00_00_05, "to_port": 4002, "flush_cycles": 9, "numbered": 0}
    with LinkStandIn() as link:
        link.values |= earlier

        def interrupted(self):
            assert link.values["to_address"] != earlier["to_address"]
            raise KeyboardInterrupt

        monkeypatch.setattr(LinkRegisters, "state", interrupted)
        with pytest.raises(KeyboardInterrupt):
            UdpBoard(DESCRIPTION, link.at)
        assert {name: link.values[name] for name in earlier} == earlier


def test_an_engine_that_takes_all_tuples_and_sends_no_row():
    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at, seconds=0.3)
        link.wires["rows"].share = 1.0  # all datagrams of rows are lost
        with pytest.raises(HangError, match=r"^no row came in 0\.3 s, and the engine is not empty"):
            board.transfer(tuples_of(5), lambda: False)
        board.close()


def test_an_engine_that_does_not_answer():
    with LinkStandIn() as link:
        link.is_silent = True
        with pytest.raises(
            HangError, match=r"127\.0\.0\.1, UDP port \d+: no answer in 0\.3 s: is "
        ):
            UdpBoard(DESCRIPTION, link.at, seconds=0.3)


@pytest.mark.parametrize("taken", [0, 3])
def test_an_engine_that_takes_no_tuple(taken):
    """The error names the reason; after a reset the next stream is right.

    The engine stops after some datagrams of the stream, which the reset then cuts.
    """
    with LinkStandIn(datagram_limit=taken) as link:
        board = UdpBoard(DESCRIPTION, link.at, seconds=0.3)
        with pytest.raises(HangError, match=r"no progress in 0\.3 s: the engine takes no tuple"):
            transfer(board, tuples_of(5_000))
        with pytest.raises(DeviceError, match=r"busy with an earlier stream; call reset\(\)"):
            transfer(board, tuples_of(5))
        link.datagram_limit = None
        board.write(REGISTERS["control"], 1)
        for _ in range(100):
            if not board.read(REGISTERS["status"]) >> BUSY:
                break
            board.discard()
        assert not board.read(REGISTERS["status"]) >> BUSY
        board.discard()
        link.accepted_tuples.clear()
        tuples = tuples_of(500, 1)
        check(link, transfer(board, tuples), tuples)
        board.close()


def test_all_tuples_are_lost():
    with LinkStandIn(tuples=1.0) as link:
        board = UdpBoard(DESCRIPTION, link.at, seconds=0.3)
        with pytest.raises(HangError, match=r"no progress in 0\.3 s: datagrams of tuples get lost"):
            transfer(board, tuples_of(5_000))
        board.close()
    assert link.accepted_tuples == []


def test_a_program_that_died_in_a_stream():
    """The next program resets the engine, and ends the stream that was cut."""
    with LinkStandIn() as link:
        first = UdpBoard(DESCRIPTION, link.at, seconds=0.3)
        link.datagram_limit = 2
        with pytest.raises(HangError):
            transfer(first, tuples_of(5_000))
        link.datagram_limit = None
        first._link.close()
        second = UdpBoard(DESCRIPTION, link.at)
        link.accepted_tuples.clear()
        tuples = tuples_of(300, 2)
        check(link, transfer(second, tuples), tuples)
        second.close()
    assert link.counters["resets"] >= 1


def test_a_late_datagram_in_the_place_of_the_end(monkeypatch):
    """After Ctrl-C a datagram that is still on its way has the number of the end."""
    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at, seconds=0.5)
        link.datagram_limit = 2
        tuples = np.zeros((5000, 12), np.uint8)
        with pytest.raises(HangError):
            board.transfer(tuples, lambda: True)
        link.datagram_limit = None
        send, late = board._link.rows.send, [link.values["received"]]

        def send_late(datagram):
            if late:
                send(struct.pack("<II", late.pop(), 0) + bytes(12))
            send(datagram)

        monkeypatch.setattr(board._link.rows, "send", send_late)
        board._registers.write_control(1)
        for _ in range(4):
            board.discard()
        assert not late
        assert not board._is_busy()
        received = board.transfer(tuples[:100] + 1, lambda: True)
        assert b"".join(p.tobytes() for p in received["m_axis"]) == bytes([1]) * 1200
        board.close()


def test_an_interrupted_close_closes_the_link(monkeypatch):
    """Otherwise a serial device stays locked as long as the program runs."""

    def interrupted(self):
        raise KeyboardInterrupt

    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at)
        monkeypatch.setattr(LinkRegisters, "restore", interrupted)
        with pytest.raises(KeyboardInterrupt):
            board.close()
        assert board._link.is_closed


def test_a_snapshot_that_the_network_delivers_again(monkeypatch):
    """The counters of the link stand still until the program releases them."""
    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at, seconds=3)
        state, reads = board._registers.state, []
        released = []
        write_control = board._registers.write_control

        def write(value):
            released.append(value)
            write_control(value)

        def frozen_state():
            reads.append(state())
            frozen = reads[-1] if 0 in released else [*reads[-1][:2], reads[0][2], *reads[-1][3:]]
            return frozen

        monkeypatch.setattr(board._registers, "write_control", write)
        monkeypatch.setattr(board._registers, "state", frozen_state)
        tuples = np.arange(12 * 50, dtype=np.uint8).reshape(50, 12)
        received = board.transfer(tuples, lambda: True)
        assert sum(len(packet) for packet in received["m_axis"]) == 50
        assert released == [0]
        board.close()


@pytest.mark.parametrize(
    ("at", "message"),
    [
        (
            "10.0.0.1",
            r"udp://HOST, udp://HOST:PORT or serial:///dev/DEVICE, not '10\.0\.0\.1'",
        ),
        ("udp://", "at must be"),
        ("tcp://10.0.0.1", "at must be"),
        ("udp://10.0.0.1:0", "at must be"),
        ("udp://10.0.0.1:70000", "at must be"),
        ("udp://10.0.0.1/x", "at must be"),
        (5, "at must be"),
        ("udp://no.such.host.invalid", r"no\.such\.host\.invalid: has no IPv4 address: "),
    ],
)
def test_wrong_places(at, message):
    with pytest.raises(HostError, match=message):
        UdpBoard(DESCRIPTION, at)


def test_any_address_of_this_machine():
    """The host writes its own address into the engine, although it listens at 0.0.0.0."""
    with LinkStandIn() as link:
        board = UdpBoard(DESCRIPTION, link.at, here=("0.0.0.0", 0))
        written = link.values["to_address"]
        assert written == int.from_bytes(bytes([127, 0, 0, 1]), "big")
        board.close()


def test_an_address_of_another_machine():
    with pytest.raises(HostError, match=r"192\.0\.2\.1:4002 must be of this machine: "):
        UdpBoard(DESCRIPTION, "udp://127.0.0.1", here=("192.0.2.1", 4002))


# ------------------------------------------------------------------ parts, by hand
def test_requests_by_hand():
    """The bytes of the example in docs/network.md: version 1, 32 bits, one record."""
    assert request(7, [4]).hex() == "4e6f104400000000000f00010000000700000004"
    written = request(8, [0xF84], (0xF84, [3]))
    assert written.hex() == "4e6f104400000000000f010100000f84000000030000000800000f84"
    answer = bytes.fromhex("4e6f144400000000000f02000000000700000001ffffffff")
    assert answered_values(answer, 7, 2) == [1, 0xFFFF_FFFF]
    assert answered_values(answer, 8, 2) is None
    assert answered_values(answer, 7, 1) is None
    assert answered_values(answer[:-1], 7, 2) is None


def test_answers_that_come_late_or_from_others_are_ignored():
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger,
    ):
        device.bind(("127.0.0.1", 0))
        port = RegisterPort(UdpPort(*device.getsockname()), 0.25)
        host = None

        def answer(number, value):
            head = bytes.fromhex("4e6f144400000000000f0100")
            return head + struct.pack("!II", number, value)

        with pytest.raises(HangError):
            port.read_all([0])
        device.settimeout(1)
        seen = []
        for _ in range(2):  # the request, and the same again
            datagram, host = device.recvfrom(100)
            seen.append(datagram)
        assert seen[0] == seen[1]
        (number,) = struct.unpack("!I", seen[0][12:16])
        device.sendto(answer(number, 1), host)  # late
        stranger.sendto(answer(number + 1, 2), host)
        device.sendto(answer(number + 1, 3), host)
        assert port.read_all([0]) == [3]
        port._port.socket.close()


def test_a_window_by_hand():
    """100 tuples of 16 bytes are three datagrams; 1,464 bytes of room are one of them."""
    tuples = np.arange(1600).astype(np.uint8).reshape(100, 16)
    window = TupleWindow(tuples, 1464, received=(1 << 32) - 1, room=1464)
    first = list(window.ready())
    assert [len(d) for d in first] == [8 + 1456]
    assert first[0] == b"\xff\xff\xff\xff" + bytes(4) + tuples[:91].tobytes()
    assert not window.update_from_registers(
        (1 << 32) - 1, 1464
    )  # under way, and takes 1,456 bytes of the room
    assert list(window.ready()) == []
    assert window.update_from_registers(0, 152)
    second, third = window.ready()
    assert second == bytes(8) + tuples[91:].tobytes()
    assert third == b"\1" + bytes(7)
    assert not window.is_complete
    window.update_from_rows(1, 16_384 - 8)
    window.update_from_rows(0, 0)  # an older one
    assert window.is_waiting
    assert not window.update_from_registers(1, 8)
    assert not window.update_from_registers(1, 8)  # the end is lost
    assert list(window.ready()) == [third]
    assert window.repeats == 1
    window.update_from_registers(2, 16_384)
    assert window.is_complete
    with pytest.raises(ValueError, match="received is 0, which no datagram of this stream explai"):
        window.update_from_registers(0, 16_384)


def test_a_datagram_takes_whole_pieces_of_room():
    """5 tuples of 12 bytes take 64 bytes, so the end, which takes 8, has no room beside them."""
    tuples = np.zeros((10, 12), np.uint8)
    window = TupleWindow(tuples, 60, received=0, room=2 * 64 + 7)
    assert [len(datagram) for datagram in window.ready()] == [8 + 60, 8 + 60]


def test_less_room_with_the_same_number_is_older():
    """The buffer only empties while the engine takes no datagram."""
    window = TupleWindow(np.zeros((300, 16), np.uint8), 1464, received=0, room=1464)
    assert len(list(window.ready())) == 1
    window.update_from_rows(1, 1464)
    window.update_from_rows(1, 8)
    assert len(list(window.ready())) == 1


def test_a_datagram_of_rows_shows_that_nothing_is_lost():
    """The engine takes a datagram between two register reads, and none after that."""
    window = TupleWindow(np.zeros((300, 16), np.uint8), 1464, received=0, room=16_384)
    assert len(list(window.ready())) == 5
    assert not window.update_from_registers(0, 16_384)
    window.update_from_rows(1, 16_384)
    assert window.taken_count == 1
    assert not window.update_from_registers(1, 16_384)
    assert list(window.ready()) == []
    assert not window.update_from_registers(1, 16_384)
    assert len(list(window.ready())) == window.repeats == 4


def test_reads_count_only_while_datagrams_are_under_way():
    """The buffer is full for two reads. After the first read with a datagram none is lost."""
    window = TupleWindow(np.zeros((300, 16), np.uint8), 1464, received=11, room=0)
    for _ in range(2):
        assert list(window.ready()) == []
        assert not window.update_from_registers(11, 0)
    window.update_from_registers(11, 1464)
    assert len(list(window.ready())) == 1
    assert not window.update_from_registers(11, 1464)
    assert list(window.ready()) == []
    assert not window.update_from_registers(11, 1464)
    assert len(list(window.ready())) == window.repeats == 1


def test_rows_by_hand():
    """Numbers wrap around; an older stream's datagram and one without a head do not count."""
    rows = RowDatagrams((1 << 32) - 1)

    def datagram(number, payload):
        return struct.pack("<IHH", number, 5, 6) + payload

    assert rows.add(datagram(0, b"cd")) == (5, 48)
    assert rows.missing(2) == 2
    rows.add(datagram((1 << 32) - 1, b"ab"))
    rows.add(datagram(1, b""))
    rows.add(datagram(1, b""))
    assert rows.add(datagram((1 << 32) - 2, b"xx")) is None
    assert rows.add(b"short") is None
    assert (rows.missing(2), rows.repeated, rows.foreign, rows.count) == (0, 1, 2, 3)
    assert rows.row_count(2) == 2
    assert [packet.tobytes() for packet in rows.packets()] == [b"abcd"]
