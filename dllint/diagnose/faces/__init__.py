"""Entry points for diagnosing from inside a program: callbacks of training libraries, and the notebook extension.

**Faces** (``faces/``, ``callbacks``, ``watching``). All make one ``Watch``, which has a monitor and the probes of
what is imported. Callbacks are *polite*: nothing is raised, they end a training by the library's own means.
"""
