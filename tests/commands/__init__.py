"""The commands, end to end."""
