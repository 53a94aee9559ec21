"""The commands of `sluice`, a file each."""
