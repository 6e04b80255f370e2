"""From files to findings: queries, rules, suppression, fixes; the façade of the command line and the editor.

The steps of a check are in docs/architecture.md. Details of them:

- ``session`` reads each file, decodes it as Python would, and leaves out what is too large. ``relevant`` checks a file for
  syntax only if it reaches no framework or a file beside it says that it was generated (``source.generated``).
- A notebook is one module: ``source.notebook`` puts its Python cells under marker lines, ``source.magics`` turns IPython's
  own syntax into lines of Python of the same place, and ``cells`` states the findings in terms of cells again.
- On the command line (``source.lazy``) a chunk is parsed when it is needed, once for the check of its file and for all
  importers. A class that is no model is executed when its name is asked for (``lower/toplevel.py``).
- ``dispatch`` imports only the modules of rules that the generated rule index names for what is in the program. A rule
  that raises on an item is reported as an internal error and goes on with the next item; where the code that builds fixes
  raises, the finding stays (``fixes.boundary``). ``failing`` has the blocks that confine failures.
- ``trial`` compares the analyses before and after an edit, ``edits`` says where edits lie.

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
