"""The laws that `check_ruleset` tries on a game for its author. Loading a game does not import them."""
