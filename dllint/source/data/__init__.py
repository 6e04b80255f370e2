"""Data files that lie beside the code, found and read within limits: configurations in YAML, JSON and TOML as plain data; of
files of arrays, models and pictures the shapes, types, names and configurations (``contents.py``).

Nobody has to trust what a checkout holds: no object is constructed, links that lead out of the project are not followed, and
files that are large, deep, or grow by aliases are not read.
"""
