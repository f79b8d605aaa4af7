"""What each command does to an encounter."""
