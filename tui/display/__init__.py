"""Rows and words from values, without Textual."""
