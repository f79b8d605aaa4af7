"""The terminal itself: driver, error handling, symbols."""
