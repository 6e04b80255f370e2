"""Tests of a model and its data: what is measured for them, and the files that are written.

**Tests** (``expectations/``, ``dllint.testing``). ``observed`` makes a record into what tests ask for
(``FirstSteps``), ``observing`` has a ``worker`` process run the program for it (thorough: ``Monitor.thorough``). The
``*_sections`` write one test each, with what the model at hand does not meet; ``bounds`` says how far numbers may lie
from those that were seen, and where those of a sound model lie.
"""
