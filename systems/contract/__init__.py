"""What a game declares and what its actions answer: all that a game imports, besides fields and dice."""
