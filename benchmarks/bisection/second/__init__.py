"""Forty deployed models written without sight of the tool: what was changed in each, and what that costs."""
