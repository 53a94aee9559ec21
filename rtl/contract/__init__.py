"""The contract between an engine and the rest of the house: plain data, no hardware."""
