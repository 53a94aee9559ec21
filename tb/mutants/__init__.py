"""Mutants: mistakes of one line in the sources, each of which a named test must notice.

Mutants show whether the tests would notice a mistake. Tests refute the mutants of this package; a
solver refutes the mutants of ``tb/formal``, which check the proofs.
"""
