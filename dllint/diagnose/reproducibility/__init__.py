"""What another run needs to be the same: seeds, versions, hardware, settings, sources."""
