"""Computes the rate and latency of the engine from the mean load of its windows.

::

    KeyMix --> KeyLoad --+--> KernelRate -----+
                         +--> MemoryRate -----+--> KeyRate --> LoadedLatency
                         |    TuplesInFlight -+    the slowest stage decides
                         +--> line_counts

`KeyLoad` has numbers of tuples, windows and lines, and each rate has the cycles that its stages
take for a tuple. For a stream that is known tuple by tuple `rtl.engine.streamzip.schedule` is more
exact.
"""
