"""What a project says about the releases of the libraries it is for: requirements, lock files, notebooks, environments.

Everything here comes from a checkout that nobody vouches for. It is read as data (never executed or imported), regular files of
bounded size only, and whatever is wrong with it means that it says nothing.
"""
