"""Tests of the plan of a job whose tasks run engines."""
