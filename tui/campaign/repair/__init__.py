"""Finding and mending what is wrong in a campaign's files."""
