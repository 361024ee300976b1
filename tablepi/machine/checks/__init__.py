"""The checks, a file for each part of a table. A check asks the ``Host`` alone, and answers whatever it finds there."""
