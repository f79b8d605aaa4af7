"""TOML files: read them with positions, write them, and edit files that a person wrote."""
