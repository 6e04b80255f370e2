"""The search for culprits over cuts of the reference."""
