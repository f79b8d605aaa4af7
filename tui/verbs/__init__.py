"""The verbs of the command `affray`, one module each; a module is imported when its verb is used."""
