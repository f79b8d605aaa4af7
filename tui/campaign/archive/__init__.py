"""Back up a campaign as one file, and restore it."""
