"""Decide what a viewer may see of a fight: the public encounter, and the view sent to a seat."""
