"""Tools for people who work on dllint: scaffolds, generators, coverage."""
