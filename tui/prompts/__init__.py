"""Questions below the order: each edits one line, shows what helps, and ends in a command or nothing."""
