"""Builds Spark plans: the tuples of a query to panes, panes to windows, windows to rows."""
