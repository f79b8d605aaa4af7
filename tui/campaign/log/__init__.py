"""The log of an encounter on disk."""
