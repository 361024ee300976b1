"""Devices: what is soldered or plugged to the table. Each turns bytes into facts, or views into light."""
