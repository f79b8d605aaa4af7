"""The log of an encounter on the disk."""
