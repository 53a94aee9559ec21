"""Keeps the values of each key in lines, in three levels of memory."""
