"""Adapters that make a graph with a runnable suffix out of a model; only these files import a framework."""
