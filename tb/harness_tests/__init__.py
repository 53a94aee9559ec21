"""Tests of the harness: its checkers against broken designs, its runners against each other."""
