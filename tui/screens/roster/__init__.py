"""The roster and the house rules: their screen, its questions, saving changes, and the export."""
