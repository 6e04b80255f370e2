"""In which releases libraries have which names and keywords, found by running the releases.

``*.json`` give the release that first lacks or has a name or keyword. ``dev/release_names.py`` runs alone in an interpreter
with an old release (``present``, ``run``); ``dev/history.py`` makes the tables from the results of several releases. What could
not be run is in the libraries' own tables (``renames.py``) with its ``source``, and is reported with low confidence.
``tests/frameworks/test_facts.py`` checks every row with the installed releases; ``frameworks/releases.py`` lists releases and
the interpreters they run on.
"""
