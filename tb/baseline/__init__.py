"""Records size and depth of the standard points, so that tests notice an increase.

The figures are in ``figures.json``. ``python -m tb.baseline`` synthesises all points and rewrites
the file.
"""
