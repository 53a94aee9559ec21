"""A design of each engine, as the examples have it."""

#: The design point's name by the engine's.
EXAMPLES = {
    "group-by": "cluster_groupby",
    "swag": "rows_median",
    "window-id": "trades_windowid",
    "pane": "trades_pane",
    "two-stacks": "rows_trades",
    "streamzip": "rows_per_key",
}
