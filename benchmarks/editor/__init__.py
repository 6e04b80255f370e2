"""The editors: what their users wait for, and whether the whole works."""
