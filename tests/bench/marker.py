"""The word to look for on the screen, in a module of its own so that a bare program imports nothing else."""

MARKER = "Zzyzx"
