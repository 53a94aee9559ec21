"""Checks what the back end of PYNQ does with memory, on a made-up overlay without an engine."""

import sys
from importlib.machinery import ModuleSpec
from types import SimpleNamespace

import numpy as np
import pytest

from host import pynq_board
from host.errors import HostError
from host.pynq_board import PynqBoard

REGISTERS = {"control": 0, "status": 4}
BUSY = 31
DESCRIPTION = SimpleNamespace(
    registers=REGISTERS, host={"busy": BUSY}, streams={"s_axis": None}, packet="stream"
)


class Buffer(np.ndarray):
    """Stands for a buffer of PYNQ: ``is_free`` becomes true when the buffer is freed."""

    device_address, is_free = 0x1000, False

    def freebuffer(self):
        self.is_free = True


@pytest.fixture
def board(monkeypatch):
    """Returns a function that opens a board whose engine is busy for some reads of ``status``.

    The board's ``buffers`` are all buffers; ``written`` are all accesses that write.
    """

    def opened(busy_reads=0, room=1 << 20, **options):
        buffers, written, reads = [], [], iter(range(busy_reads))

        def allocate(shape, dtype):
            if np.prod(shape) > room:
                raise RuntimeError("Failed to allocate Memory!")
            buffers.append(np.zeros(shape, dtype).view(Buffer))
            return buffers[-1]

        def read(address):
            return int(address == REGISTERS["status"] and next(reads, None) is not None) << BUSY

        mmio = SimpleNamespace(read=read, write=lambda *access: written.append(access))
        send = SimpleNamespace(sendchannel=SimpleNamespace(idle=True))
        overlay = SimpleNamespace(engine=SimpleNamespace(mmio=mmio), dma=send)
        module = SimpleNamespace(allocate=allocate, __spec__=ModuleSpec("pynq", None))
        monkeypatch.setitem(sys.modules, "pynq", module)
        board = PynqBoard(DESCRIPTION, overlay, **options)
        board.buffers, board.written = buffers, written
        return board

    monkeypatch.setattr(pynq_board, "_UNFREED", [])
    monkeypatch.setattr(pynq_board, "_CLOSE_SECONDS", 0.05)
    return opened


@pytest.mark.parametrize(
    ("busy_reads", "resets", "is_freed"), [(0, 0, True), (3, 1, True), (1 << 30, 1, False)]
)
def test_memory_is_freed_only_if_the_engine_is_idle(board, busy_reads, resets, is_freed):
    """An engine that was interrupted is reset; if it stays busy, it may still write."""
    opened = board(busy_reads)
    assert opened.memory("base_0", 100, 4096, None) == 4096
    opened.close()
    (buffer,) = opened.buffers
    assert opened.written == [(REGISTERS["control"], 1)] * resets
    assert buffer.is_free is is_freed
    assert [unfreed is buffer for unfreed in pynq_board._UNFREED] == [True] * (not is_freed)


def test_a_time_limit_that_is_no_time_is_refused(board):
    with pytest.raises(HostError, match=r"^seconds must be a number above 0, not nan$"):
        board(seconds=float("nan"))


def test_a_board_without_enough_memory(board):
    text = r"^the board has no contiguous memory of 4,196 bytes \(Failed to allocate Memory!\): run"
    with pytest.raises(HostError, match=text):
        board(room=1000).memory("base_0", 100, 4096, None)
