"""Benchmarks: ``python -m tests.bench`` prints tables; nothing is asserted about time."""
