"""Windows over a stream: which tuples each one covers, and when it is complete."""
