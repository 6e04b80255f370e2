"""Statements of a project about the releases of libraries that it is for: requirements, lock files, notebooks, environments.

Everything here comes from a checkout that nobody vouches for. It is read as data (never executed or imported), regular files of
bounded size only, and whatever is wrong with it means that it says nothing.
"""
