"""TOML files: reading with positions, writing, and editing what a person wrote."""
