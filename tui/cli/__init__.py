"""The command `affray`: its arguments, and one module for each verb, imported when the verb is used."""
