"""Checks that requests are carried out in order, and that each answer goes to its sender."""

import random

import pytest
from scapy.layers.inet import UDP

from rtl.ethernet.register_port import RegisterPort
from tb.rtl.bus.host import simulate_with_background
from tb.rtl.ethernet.model import Face, packed
from tb.rtl.ethernet.requests import Requests, carry_out, probe, request

OWN_PORT = 1234
FACE = Face()


class Memory(dict):
    """Registers that keep their values; the address is the first value."""

    def __missing__(self, address):
        return address

    def carry_out(self, payload):
        return carry_out(payload, self.__setitem__, self.__getitem__)


def run(payloads, *, slow=0.0, stall=0.0, seed=1):
    """Sends requests of different senders; returns head and body of each answer, and the accesses.

    ``slow`` is the share of cycles in which an access does not complete, and ``stall`` of cycles in
    which no answer is taken. A body is longer than its answer by up to seven bytes. ``busy`` must
    be high while a request is offered, and low between two requests and at the end.
    """
    dut, rng, memory = RegisterPort(), random.Random(seed), Memory()
    answers, accesses, busy = [], [], []

    async def send(ctx):
        ctx.set(dut.address, FACE.settings["address"])
        ctx.set(dut.port, OWN_PORT)
        for k, payload in enumerate(payloads):
            sender = {"mac": 2 * k, "address": 100 + k, "port": 200 + k}
            is_probe = bool(payload[2] & 1)
            ctx.set(dut.request.p, sender | {"probe": is_probe})
            ctx.set(dut.request.valid, 1)
            data = payload[:8] if is_probe else payload
            for first in range(0, len(data), 8):
                while rng.random() < stall:
                    await ctx.tick()
                ctx.set(dut.i.p, int.from_bytes(data[first : first + 8], "little"))
                ctx.set(dut.i.valid, 1)
                ready = 0
                while not ready:
                    _, _, ready, done, is_busy = await ctx.tick().sample(
                        dut.i.ready, dut.request.ready, dut.busy
                    )
                    busy.append(is_busy)
                    assert not done
                ctx.set(dut.i.valid, 0)
            done = 0
            while not done:
                _, _, done, is_busy = await ctx.tick().sample(dut.request.ready, dut.busy)
                busy.append(is_busy)
            ctx.set(dut.request.valid, 0)
            assert not ctx.get(dut.busy)
        for _ in range(100):
            _, _, is_busy = await ctx.tick().sample(dut.busy)
            assert not is_busy

    async def serve(ctx):
        access, offered = dut.access, None
        while True:
            willing = offered is not None and rng.random() >= slow
            value = memory[offered[0]] if willing else rng.getrandbits(32)
            ctx.set(dut.read_value, value)
            ctx.set(access.ready, willing)
            _, _, valid, address, value, write = await ctx.tick().sample(
                access.valid, access.p.address, access.p.value, access.p.write
            )
            assert offered is None or (valid and (address, write) == offered)
            offered = (address, write) if valid and not willing else None
            if valid and willing:
                accesses.append((address, value if write else None))
                if write:
                    memory[address] = value

    async def take(ctx):
        pieces = []
        while True:
            ctx.set(dut.head.ready, willing := rng.random() >= stall)
            ctx.set(dut.body.ready, 1)
            names = ("mac", "address", "protocol", "length", "first")
            sampled = [dut.head.p[name] for name in names]
            _, _, valid, *head, has_piece, piece = await ctx.tick().sample(
                dut.head.valid, *sampled, dut.body.valid, dut.body.p
            )
            pieces += [piece.to_bytes(8, "little")] if has_piece else []
            if valid and willing:
                answers.append((dict(zip(names, head, strict=True)), pieces))
                pieces = []

    simulate_with_background(dut, [serve, take], send)
    assert all(busy)
    return answers, accesses


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("slow", "stall"), [(0.0, 0.0), (0.7, 0.5)])
def test_requests_in_order(slow, stall):
    rng = random.Random(5)
    source = Requests(rng, [0, 4, 8, 12])
    payloads = [
        *(request(reads=[k]) for k in (0, 4)),
        request(writes=[1, 2, 3], first=0),
        request(writes=[9], first=4, reads=[0, 4, 8], number=0xFFFFFFFF),
        *(probe(77), request(writes=[4, 5], first=8, reads=[8, 12])),
        *(source.good() for _ in range(30)),
        request(writes=list(range(40)), first=16, reads=[4 * k for k in range(60)]),
    ]
    answers, accesses = run(payloads, slow=slow, stall=stall)
    memory, steps = Memory(), []

    def write(address, value):
        steps.append((address, value))
        memory[address] = value

    def read(address):
        steps.append((address, None))
        return memory[address]

    expected = [(k, carry_out(payload, write, read)) for k, payload in enumerate(payloads)]
    assert accesses == steps
    expected = [(k, answer) for k, answer in expected if answer]
    assert len(answers) == len(expected) > 20
    for (head, pieces), (k, answer) in zip(answers, expected, strict=True):
        udp = UDP(sport=OWN_PORT, dport=200 + k) / answer
        frame = packed(udp, "02:00:00:00:00:00", f"0.0.0.{100 + k}", FACE)
        assert (head["mac"], head["address"], head["protocol"]) == (2 * k, 100 + k, 17)
        assert head["length"] == 8 + len(answer)
        assert head["first"].to_bytes(8, "little") == frame[34:42]  # both ports, length, checksum
        assert b"".join(pieces)[: len(answer)] == answer
        assert len(pieces) == -(-len(answer) // 8)
