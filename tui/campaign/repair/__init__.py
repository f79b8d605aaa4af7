"""Finding and repairing what is wrong in a campaign's files."""
