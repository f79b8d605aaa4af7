"""The layer between keys and the fight: commands, saving, requests of seats, roster editing."""
