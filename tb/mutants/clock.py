"""A pytest plugin that ends tests by processor time: a test that hangs fails, a session stops.

``SLUICE_TEST_SECONDS`` is the limit of one test, ``SLUICE_SESSION_SECONDS`` that of all of them.
"""

import os
import resource
import signal

import pytest

#: Exit code of a session that has reached its limit.
STOPPED = 77


def _used():
    """Processor seconds of this process and of those that it has waited for."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Fails a test that takes more than its limit, and stops before one for which none is left."""
    if _used() > float(os.environ["SLUICE_SESSION_SECONDS"]):
        pytest.exit("the processor time is used up", returncode=STOPPED)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    limit = float(os.environ["SLUICE_TEST_SECONDS"])

    def fail(*_):
        raise pytest.fail.Exception(f"took more than {limit:g} s of the processor")

    before = signal.signal(signal.SIGPROF, fail)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
