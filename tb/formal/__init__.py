"""Proofs about the components that every engine rests on, by Yosys alone: `python -m tb.formal`."""
