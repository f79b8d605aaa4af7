"""Dice: where faces come from, the notation (`4d6kh3 + 2`), and its exact distribution."""
