"""The screens: initiative, roster, log, status, and the campaigns to choose from."""
