"""Size and depth of the standard points as they were, so that a change for the worse shows.

``figures.json`` holds them. ``python -m tb.baseline`` synthesises all points and writes it anew.
"""
