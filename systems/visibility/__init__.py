"""What a viewer may see of a fight: the public encounter, and the view that is sent to a seat."""
