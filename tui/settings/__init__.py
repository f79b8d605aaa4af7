"""The keys, the user's own key map, and the program's memory between evenings."""
