"""Converts values: of files to raw values, and raw values to and from columns of Spark."""
