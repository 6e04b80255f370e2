"""Rows of ``torch.nn`` layers and losses, by subject."""
