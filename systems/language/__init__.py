"""The command language: turns a line of text into an intent, or into an error that points at the word."""
