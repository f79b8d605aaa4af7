"""The word that is looked for on the screen; here alone, so that a bare program imports nothing else."""

MARKER = "Zzyzx"
