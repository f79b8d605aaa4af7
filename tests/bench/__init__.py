"""Measurements: `python -m tests.bench [NAME ...]` prints them next to their budgets, and asserts nothing."""
