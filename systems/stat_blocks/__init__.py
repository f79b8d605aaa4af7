"""Stat blocks: find the creatures in pasted text, understand their prose, and make a game's sheet of them.

`text.creatures` finds creatures in text, `prose.feature` understands one paragraph, and `reading.sheet_of`
turns a creature into a sheet of one game. None of it is loaded before something is imported.
"""
