"""In which releases libraries have which names and keywords: what running them has shown.

**Tables.** ``frameworks/history/*.json`` say which release first lacks or has a name or keyword. They are made by
running releases: ``dev/release_names.py`` stands alone and runs in an interpreter with an old release (``present``,
``run``), ``dev/history.py`` makes the tables of what several releases say. What could not be run is in the libraries'
own tables (``renames.py``) and names its ``source``; it is reported with low confidence.
``tests/frameworks/test_facts.py`` runs every row with the installed releases. ``frameworks/releases.py`` lists
releases and the interpreters they run on.
"""
