"""Tests of engines in the tasks of Spark."""
