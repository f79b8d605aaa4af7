"""Unlikely inputs for every reader of user input.

`python -m tests.fuzz --seconds N` tries them for N seconds; the tests try a few of each.
"""
