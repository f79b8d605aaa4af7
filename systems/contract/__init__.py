"""The contract between Affray and a game: everything a game imports, apart from fields and dice."""
