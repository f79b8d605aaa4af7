"""A campaign as one file, and back."""
