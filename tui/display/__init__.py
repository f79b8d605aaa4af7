"""Make rows and words from values, without Textual."""
