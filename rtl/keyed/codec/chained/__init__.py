"""Decodes chains of blocks, of which only the first block has a seed."""
