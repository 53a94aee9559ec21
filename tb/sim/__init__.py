"""Tests of the room `sim`: checkers against broken designs, runners against each other."""
