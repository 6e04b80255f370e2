"""Runs of ``dllint bisect`` and ``dllint diagnose`` from the editor: the commands that start them, what their reports say, and
the repairs that they have found, as quick fixes."""
