"""Passes over the traced program that produce facts for rules."""
