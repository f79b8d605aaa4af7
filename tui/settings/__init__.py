"""Keys, the user's own key map, and what is remembered between evenings."""
