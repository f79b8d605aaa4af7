"""The contents of prompts as words and numbers, worked out from an encounter.

The table uses them for its own prompts, the server for those of a seat.
"""
