"""Parametrizes benches with design points and simulators."""

import os
import zlib

import pytest

SIMULATORS = ("icarus", "verilator")


def points(*settings):
    """Runs a test at each point, a dict of settings, in each simulator.

    The test gets the arguments ``point`` and ``simulator``. With the environment variable ``SIM``
    it runs in this simulator only. `make test` runs the first point, in one of the two simulators,
    every sixth day; all other runs are marked ``regress``.
    """
    chosen = os.environ.get("SIM")
    if chosen not in (None, "", *SIMULATORS):
        raise ValueError(f"SIM must be one of {', '.join(SIMULATORS)}, not {chosen}")

    def parametrized(test):
        default_simulator = SIMULATORS[zlib.crc32(test.__name__.encode()) % 2]
        runs = [
            pytest.param(
                point,
                simulator,
                id="-".join([*_words(point), simulator]),
                marks=[] if k == 0 and simulator == default_simulator else [pytest.mark.regress],
            )
            for k, point in enumerate(settings)
            for simulator in SIMULATORS
            if chosen in (None, "", simulator)
        ]
        return pytest.mark.parametrize(("point", "simulator"), runs)(test)

    return parametrized


def _words(point):
    return [f"{name}{value}" for name, value in point.items()]
