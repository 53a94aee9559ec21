"""Models the cycles of the engine for a known stream of tuples, to predict its rate.

::

    KeyStream --> row_tuples, time_tuples --> KeySchedule --> tuples per cycle
                  a Step for each tuple       when each stage is free

The package makes no hardware and computes no rows. Its classes change with each tuple; they do not
describe a design.
"""
