"""The machine that the table runs on: what is plugged in, and what of it is to be mended before people sit down."""
