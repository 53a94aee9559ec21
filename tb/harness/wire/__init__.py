"""A compiled bench for the network face: frames on the wire in, tuples, frames and counts out."""
