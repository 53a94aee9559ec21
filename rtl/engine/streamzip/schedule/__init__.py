"""Schedule of the engine for a known stream: a plain model of its cycles, for predictions.

::

    KeyStream --> row_tuples, time_tuples --> KeySchedule --> tuples per cycle
                  a Step for each tuple       when each stage is free

Nothing here makes hardware, and nothing here computes a row. Its classes change as the stream
goes by, so they are no descriptions of a design either.
"""
