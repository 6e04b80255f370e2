"""Adapters that run a deployed model and show its intermediate values; only these files import a runtime."""
