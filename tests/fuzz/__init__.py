"""Inputs that nobody would write, for everything that reads what people write.

`python -m tests.fuzz --seconds N` tries them for as long as it is told; the tests try a few of each.
"""
