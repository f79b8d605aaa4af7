"""The command `affray`: its arguments, and one module per verb, imported when the verb is used."""
