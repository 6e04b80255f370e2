"""From files to findings: queries, rules, suppression, fixes; the façade of the command line and the editor.

docs/security.md states what holds for checkouts that are not trusted. It is ensured here:

- ``source/regular.py`` opens files: regular ones only, without waiting, up to a size. All readers of a checkout go
  through it.
- ``config/confinement.py`` keeps the paths of a configuration file inside its project; what the command line names is
  the user's. ``engine/own_directory.py`` knows which cache directories dllint has made itself.
- ``config/globs.py`` matches the patterns of ``.gitignore``, ``exclude`` and ``per-file-ignores`` in time that grows
  with their length.
- ``source/neutral.py`` and ``report/neutral.py`` take from names, messages and source lines what a terminal, a log or
  a CI service would obey.
- ``engine/endings.py`` ends the workers when a run is ended; ``engine/limits.py`` stops a file that takes too much
  time or memory.
"""
