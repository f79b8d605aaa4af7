"""Measurements: `python -m tests.bench [NAME ...]` prints them beside their budgets, and asserts nothing."""
