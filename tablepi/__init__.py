"""tablepi: the referee of a real card table."""

__version__ = "0.1.0"
