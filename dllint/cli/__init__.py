"""The command line: one command per file, imported only when it runs."""
