"""The log: its screen and its export."""
