"""The page of seats: its prompts, its rows, and the invitations."""
