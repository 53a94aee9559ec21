"""Windows of each key, in three levels of memory: parts of an engine that is still to come."""
