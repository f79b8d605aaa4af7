"""Carry out commands in an encounter."""
