"""Models the cycles of the engine for a known stream, to predict its rate and its latency.

::

    KeyStream --> row_tuples, time_tuples --> KeySchedule --> WindowStages --> StreamRate
                  a Step for each tuple       up to the       decoders, kernels
                                              collector       and searches

The package makes no hardware and computes no rows. Its classes change with each tuple; they do not
describe a design.
"""
