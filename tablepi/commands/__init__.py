"""The commands: each wires the parts that it needs, and imports a device's library only when it runs."""
