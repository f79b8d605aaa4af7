"""What prompts list, as words and numbers, worked out from an encounter: at the table and by the server."""
