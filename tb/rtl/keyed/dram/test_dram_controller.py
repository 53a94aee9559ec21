"""The model of the DDR3 controller beside the simulated controller and its measured rates."""

import json
import random
import subprocess
import sys
from collections import deque

import numpy as np
import pytest

from rtl.keyed.dram.dram_controller import Burst, ControllerTiming, DramController
from tb.rtl.keyed.dram.controller_pins import times_of

TIMING = ControllerTiming()
#: Measured rates of the controller alone, with bursts at random addresses. The columns: lines of a
#: burst; lines that are read for each line that is written (0: only writes, None: only reads);
#: lines per cycle with one port, and with four ports. The rates are those in `sim/ddr3.py`, except
#: the last row, which is measured with 8 bursts of each port in flight.
MEASURED = [
    (64, None, 0.854, 0.964),
    (8, None, 0.433, 0.828),
    (2, None, 0.159, 0.423),
    (1, None, 0.085, 0.223),
    (2, 0, 0.150, 0.397),
    (1, 0, 0.081, 0.211),
    (64, 64, 0.652, 0.819),
    (8, 64, 0.376, 0.673),
    (8, 8, 0.216, 0.468),
]
#: Bursts of each port that the model has in flight.
IN_FLIGHT = 8


#: Program that prints the numbers with which the simulated controller is built.
SETTINGS = """
import json
from sim.ddr3_controller import CLOCK, MT8JTF12864, ControllerSettings, SDRAMPHYModel
module, rules = MT8JTF12864(CLOCK, "1:4"), ControllerSettings(cmd_buffer_depth=16)
phy = SDRAMPHYModel(module, data_width=64, clk_freq=CLOCK, address_mapping="ROW_BANK_COL").settings
timing, geometry = vars(module.timing_settings), vars(module.geom_settings)
numbers = {name: value for name, value in {**timing, **geometry}.items() if isinstance(value, int)}
numbers |= {"cwl": phy.cwl, "nphases": phy.nphases, "read_latency": phy.read_latency}
numbers |= {name: getattr(rules, name) for name in ("cmd_buffer_depth", "read_time", "write_time")}
print(json.dumps(numbers))
"""


def test_numbers_are_those_that_the_controller_is_built_with():
    """Sums are those of LiteDRAM: its write latency is CWL over the phases, rounded up."""
    process = subprocess.run([sys.executable, "-c", SETTINGS], capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    built = json.loads(process.stdout)
    names = {"t_rp": "tRP", "t_rcd": "tRCD", "t_rc": "tRC", "t_ras": "tRAS", "t_rrd": "tRRD"}
    names |= {"refresh": "tREFI", "depth": "cmd_buffer_depth"}
    names |= {name: name for name in ("read_time", "write_time")}
    assert {name: getattr(TIMING, name) for name in names} == {
        name: built[theirs] for name, theirs in names.items()
    }
    written = -(-built["cwl"] // built["nphases"]) + built["tCCD"]
    assert TIMING.t_wtp == written + built["tWR"]
    assert TIMING.t_wtr == written + built["tWTR"]
    assert TIMING.to_writes == built["read_latency"] - 1
    assert TIMING.banks == 1 << built["bankbits"]
    assert TIMING.row_bytes == 8 << built["colbits"]
    assert TIMING.refreshing == built["tRP"] + built["tRFC"] + 2
    # Four rows open in more than tFAW cycles anyway, so the model needs no limit of four openings.
    assert 4 * TIMING.t_rrd > built["tFAW"]


def burst_of(write, row, count, seen):
    return Burst(write, row % TIMING.banks, row // TIMING.banks, count, seen)


def test_bursts_one_by_one():
    """Cycles from an address to the end of its burst, as the controller has them by itself.

    The first read opens its row, 5 cycles more than the second; the first write turns the bus, and
    so does the last read. The second write closes a row and opens another, without a turn.
    """
    controller, ends = DramController(TIMING, 1, beats=1), []
    for write, row in [(0, 0), (0, 0), (1, 0), (1, 8), (1, 8), (0, 8)]:
        begin = controller.cycle
        burst = burst_of(bool(write), row, 1, begin + TIMING.seen)
        controller.enter(0, burst)
        while controller.cycle < begin + 60:
            controller.step()
        ends.append(burst.end - begin)
    open_row, turned = 18, 19
    assert ends == [open_row + 5, open_row, turned, 16, 9, open_row + 3]


@pytest.mark.parametrize(("target", "cycles"), [(500, 18), (700, 22), (5000, 22)])
def test_a_refresh_in_skipped_cycles_closes_all_rows(target, cycles):
    """A read in an open row takes 18 cycles, and 4 more if the controller opens the row first.

    The bank asks for its row a cycle later, and the row is open after 3 more cycles. The model
    begins in the middle between two refreshes, so refreshes come in the cycles 610, 1831, ...
    """
    controller = DramController(TIMING, 1, beats=1)
    for begin in (0, target):
        controller.skip(begin)
        burst = burst_of(False, 0, 1, begin + TIMING.seen)
        controller.enter(0, burst)
        while not controller.idle:
            controller.step()
    assert burst.end - target == cycles


def lines_per_cycle(ports, lines, each, most=6000):
    """Returns the rate of bursts at random addresses over ``most`` lines, in lines per cycle.

    ``lines`` and ``each`` are the first two columns of :data:`MEASURED`.
    """
    rng, moved = random.Random(1), 0
    controller = DramController(TIMING, ports, beats=1)
    flight, reads = [deque() for _ in range(ports)], [0] * ports
    while moved < most:
        for port, bursts in enumerate(flight):
            while bursts and bursts[0].end is not None and bursts[0].end <= controller.cycle:
                moved += bursts.popleft().count
            if len(bursts) >= IN_FLIGHT * (lines if each == 0 else 1):
                continue
            write = each is not None and reads[port] >= each
            row = rng.randrange(1 << 17)
            if write:
                reads[port] = 0
            else:
                reads[port] += lines
            for _ in range(max(1, lines * (each == 0)) if write else 1):
                burst = burst_of(write, row, 1 if write else lines, controller.cycle + TIMING.seen)
                controller.enter(port, burst)
                bursts.append(burst)
        controller.step()
    return moved / controller.cycle


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("lines", "each", "one", "four"), MEASURED)
def test_as_many_lines_as_measured(lines, each, one, four):
    assert lines_per_cycle(1, lines, each) == pytest.approx(one, rel=0.05)
    assert lines_per_cycle(4, lines, each) == pytest.approx(four, rel=0.05)


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.parametrize(
    ("ports", "writes"),
    [
        *(pytest.param(1, writes, marks=pytest.mark.regress) for writes in (0.0, 0.5)),
        (2, 0.2),
        (2, 0.5),
    ],
)
def test_each_burst_ends_when_the_controller_ends_it(ports, writes, request):
    """At least half of the bursts end within a cycle of the simulated controller's end.

    Bursts begin in the model when they begin at the simulated controller. Most of them are in two
    rows. A refresh may begin some cycles earlier or later than in the model. After it the ports may
    take other turns, and then the bursts of a port end later by a burst of the other port.
    """
    rng = random.Random(f"{ports} {writes}")
    rows = [rng.randrange(1 << 13) for _ in range(2)]

    def burst():
        write = rng.random() < writes
        row = rng.choice(rows) if rng.random() < 0.7 else rng.randrange(1 << 16)
        return write, row, 1 if write else rng.choice((1, 2, 8)), rng.choice((0, 0, 5, 20))

    scripts = [[burst() for _ in range(40)] for _ in range(ports)]
    times = times_of(scripts, request.config.rootpath / ".cache" / "tb")
    controller, timed_bursts = DramController(TIMING, ports, beats=1), []
    for port, script in enumerate(scripts):
        for (write, row, count, _), (begin, end) in zip(script, times[port], strict=True):
            dram_burst = burst_of(write, row, count, begin + TIMING.seen)
            timed_bursts.append((begin, port, dram_burst, end + 1))
    bursts = deque(sorted(timed_bursts, key=lambda each: each[0]))
    while bursts or not controller.idle:
        while bursts and bursts[0][0] <= controller.cycle:
            _, port, dram_burst, _ = bursts.popleft()
            controller.enter(port, dram_burst)
        controller.step()
    late = np.abs([dram_burst.end - end for _, _, dram_burst, end in timed_bursts])
    assert np.median(late) <= 1
    assert np.mean(late) <= 10
