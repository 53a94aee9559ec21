"""Mistakes of one line in ``rtl/``, each of which a named test must notice.

They ask whether the tests would see a mistake. The mutants of ``tb/formal`` ask the same of the
proofs: those are refuted by a solver, these by a simulation.
"""
