"""Windows over a stream: which tuples each window covers, and when a window is complete."""
