"""DLS: wiring, registration, layer order."""
