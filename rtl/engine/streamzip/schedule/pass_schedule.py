"""Computes when windows with pivots are sent, sent again, and have their answers."""

from collections import Counter, defaultdict, deque
from dataclasses import dataclass

from rtl.engine.streamzip.rates.pass_times import LATER
from rtl.keyed.pivot.pivot_plan import WINDOWS

#: Cycles from the end of sending behind a failed window to the first line of its next pass.
GO_BACK = 4
#: Cycles that a window behind a failed one saves: it may pass again ``latency - SOONER`` cycles
#: after its last line at the kernels; a key's next window waits ``latency`` cycles.
SOONER = 1


@dataclass(slots=True, eq=False)
class _Window:
    """Describes a window in the buffer.

    Attributes
    ----------
    job : CollectorJob
    ready : float
        Cycle in which the buffer has the window's last line.
    interval : float
        Cycles for which the window occupies the kernels in each pass.
    passes_left : int
        Number of passes that are still necessary.
    may_pass : float
        Least cycle in which the window may pass again, because its last verdict has come.
    """

    job: object
    ready: float
    interval: float
    passes_left: int
    may_pass: float = 0.0


class PassSchedule:
    """Computes when :class:`~rtl.keyed.pivot.window_passes.WindowPasses` sends each window.

    A verdict is the result of one pass. A window has its answers when a pass in order finds them.
    Windows are sent in order. A window waits while ``under_way`` windows of its key are sent and
    have no answers: with ``under_way`` 1 it waits for the answer of the key's window before. A
    window from the cache waits until all earlier windows that are not from the cache have answers.
    If a pass of the oldest window fails, all windows are sent again, ``latency`` and
    :data:`~rtl.engine.streamzip.rates.pass_times.LATER` cycles after the pass had its last line at
    the kernels. Until :data:`GO_BACK` cycles before this restart, the windows behind the failed one
    are sent. Their passes count, too, but their rows cannot leave, so each of them needs one pass
    more at least. A pass that is cut short then does not count. None of these windows is
    sent again before the verdict on its pass.

    For instance with ``latency`` 20, windows A and B of two keys, 10 lines each: the first pass of
    A takes cycles 0 to 10 and fails, and that of B takes cycles 10 to 20 and fails, too. From cycle
    32 on A is sent again, and B from cycle 42 on; both find their answers.

    Parameters
    ----------
    passes : Passes
    kernels : KernelTimes
        Decoders and kernels, empty.
    out_gap : float
        Least number of cycles from one row to the next.

    Attributes
    ----------
    ends : list of float
        Cycle in which each window ends at the kernels, in order, for windows that have answers; at
        least ``out_gap`` cycles after the end before.
    """

    def __init__(self, passes, kernels, out_gap=1.0):
        self._passes = passes
        self._kernels = kernels
        self._out_gap = out_gap
        # Windows without answers, the oldest first. The model gives a window its answer as soon as
        # it is sent. Only after a failed pass of the oldest window are there sent windows in it.
        self._buffer = deque()
        self._sent = 0  # index in the buffer of the next window to send
        # Both are set when a pass of the oldest window fails.
        self._until = None  # cycle until which the windows behind the oldest are sent
        self._restart = 0.0  # cycle in which the next pass of the oldest begins
        # For each entry, the number of windows that are sent since the failed pass began and have
        # no answers, with the failed window.
        self._unanswered = Counter()
        self._next = 0.0  # least cycle in which the next window begins
        # Cycles of the latest answers, oldest first: of each entry's windows that are not from the
        # cache, and of all windows. Then the latest answer of a window that is not from the cache.
        self._answers = defaultdict(lambda: deque([0.0] * passes.under_way, passes.under_way))
        self._finished = deque([0.0] * WINDOWS, WINDOWS)
        self._last_answer = 0.0
        self._row = -out_gap  # cycle in which the last row leaves
        self._entries = set()  # entries of the keys that had a window
        self._typical = 0.0  # fractions of passes that no window has taken yet, such as 0.5
        self.ends = []

    def room(self, lines):
        """Returns the cycle in which the buffer has room for another window of ``lines`` lines.

        Sends windows until it has room. All windows in the buffer count as if they had as many
        lines.
        """
        windows = max(1, min(WINDOWS, int(self._passes.lines // lines)))
        while len(self._buffer) >= windows:
            self._send_next()
        # The index is negative: with 2 windows in the buffer, and room for 8, it is -6. From that
        # answer on, at most 5 windows with later answers and the 2 are in the buffer, so there is
        # room for one more.
        return self._finished[len(self._buffer) - windows]

    def add(self, job, ready, interval):
        """Adds a window whose last line comes in cycle ``ready``, and sends it for the first time.

        The window occupies the kernels for ``interval`` cycles in each pass.
        """
        self._buffer.append(_Window(job, ready, interval, self._passes_of(job)))
        while self._sent < len(self._buffer):
            self._send_next()

    def finish(self):
        """Sends windows until all of them have answers."""
        while self._buffer:
            self._send_next()

    def _passes_of(self, job):
        """Returns the number of passes of a window; without a search, a typical one.

        Typical numbers are means, for instance 1.5; then every other window takes 2 passes.
        """
        if job.window.cached:
            return 1
        if job.window.search is not None:
            return job.window.search.passes(job.entry)
        is_first = job.entry not in self._entries
        self._entries.add(job.entry)
        self._typical += self._passes.first if is_first else self._passes.usual
        passes = max(1, int(self._typical))
        self._typical -= passes
        return passes

    def _send_next(self):
        """Sends the next window, or begins again at the window that has failed."""
        window = self._buffer[self._sent] if self._sent < len(self._buffer) else None
        begin = None if window is None else self._begin(window)
        if self._until is None:
            self._send(window, begin)
            self._judge(window)
        elif begin is not None and begin < self._until:
            self._send(window, begin, until=self._until)
            if not self._kernels.ended_early:
                window.passes_left = max(1, window.passes_left - 1)
            window.may_pass = self._kernels.end + self._passes.latency - SOONER
            self._leave_unanswered(window)
        else:
            self._next = max(self._next, self._restart)
            self._until = None
            self._sent = 0
            self._unanswered.clear()

    def _begin(self, window):
        """Returns the cycle from which on a window may be sent; None if that is not known yet."""
        job = window.job
        earliest = max(self._next, window.may_pass, window.ready - window.interval)
        if job.window.cached:
            # It must not be sent behind a window that has failed.
            return None if self._sent else max(earliest, self._last_answer)
        unanswered = self._unanswered[job.entry]
        if unanswered >= self._passes.under_way:
            return None
        return max(earliest, self._answers[job.entry][unanswered])

    def _send(self, window, begin, until=None):
        """Sends a window to the decoders and kernels; ``until`` ends it early."""
        interval = window.interval
        self._kernels.take(window.job, begin + interval, interval, until)
        self._next = self._kernels.sent

    def _judge(self, window):
        """Notes the answers of the oldest window, or the verdict that the pass has failed."""
        window.passes_left -= 1
        end = self._kernels.end = max(self._kernels.end, self._row)
        answered = end + self._passes.latency
        if window.passes_left:
            self._restart = answered + LATER
            self._until = self._restart - GO_BACK
            self._leave_unanswered(window)
            return
        self._buffer.popleft()
        self._row = max(end, self._row + self._out_gap)
        self.ends.append(self._row)
        self._finished.append(answered)
        if not window.job.window.cached:
            self._answers[window.job.entry].append(answered)
            self._last_answer = answered

    def _leave_unanswered(self, window):
        """Moves on to the next window; the sent window has no answer from this pass."""
        self._sent += 1
        self._unanswered[window.job.entry] += 1
