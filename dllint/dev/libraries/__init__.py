"""The public names of each library whose signatures are generated."""
