"""An open fight: the session, how it is opened, and the queue that saves its events."""
