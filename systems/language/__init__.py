"""The command language: a line of text becomes an intent, or an error that points at the word."""
