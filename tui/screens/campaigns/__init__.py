"""The campaigns to choose from: their screen, and what changes campaigns and encounters."""
