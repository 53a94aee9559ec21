"""Computes the rate and latency of the engine from the mean load of its windows.

::

    KeyMix, line_counts --> KeyLoad --+--> KernelRate (pass_times) ------+
                                      +--> MemoryRate --+----------------+--> KeyRate
                                                        +--> TuplesInFlight       |
                                                                                  v
                                                                           LoadedLatency

`KeyLoad` holds mean numbers of tuples, windows and lines. Each rate computes from them the cycles
that its stages take for a tuple, and the slowest stage decides. For a stream that is known tuple by
tuple `rtl.engine.streamzip.schedule` is more exact.
"""
