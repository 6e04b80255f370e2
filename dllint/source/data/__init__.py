"""Data files that lie beside the code (configurations in YAML, JSON and TOML): found and read as plain data, within limits.

Nobody has to trust what a checkout holds: no object is constructed, links that lead out of the project are not followed, and
files that are large, deep, or grow by aliases are not read.
"""
