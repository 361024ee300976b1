"""The virtual table: a pretend world that drives the real program through the ports that a real table uses."""
