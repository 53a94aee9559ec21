"""Blocks that `sluice generate --unit` writes and `sluice report --unit` measures by themselves."""
