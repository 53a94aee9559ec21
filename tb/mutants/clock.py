"""Pytest plugin that limits processor time: a test above its limit fails, a session stops.

``SLUICE_TEST_SECONDS`` is the limit of one test, and ``SLUICE_SESSION_SECONDS`` the limit of the
whole session.
"""

import os
import resource
import signal

import pytest

#: Exit code of a session that has reached its limit.
STOPPED = 77


def _used():
    """Returns the processor seconds of this process and of its completed child processes."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Stops the session before a test if the session's processor time is used up."""
    if _used() > float(os.environ["SLUICE_SESSION_SECONDS"]):
        pytest.exit("the processor time is used up", returncode=STOPPED)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Fails a test that uses more processor time than its limit."""
    limit = float(os.environ["SLUICE_TEST_SECONDS"])

    def fail(*_):
        raise pytest.fail.Exception(f"took more than {limit:g} s of the processor")

    old_handler = signal.signal(signal.SIGPROF, fail)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old_handler)
