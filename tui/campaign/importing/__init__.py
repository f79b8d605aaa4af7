"""Import creatures, characters and encounters: what a file or a pasted text is, and what of it is new."""
