"""Diagnosis of several processes that train together under a launcher: exchange of records, and one record made of all.

**Several processes** (``ranks/``). A thread of each (``peers``) leaves heartbeats and, at the end, an ``excerpt`` of
its record in a store (``mailbox``, ``probes/torch/store``), the first one reads them and makes a ``union``. No
collectives: nothing can dead-lock, and nothing mixes with the program's own. Samples lie at multiples of powers of
two (``Schedule(aligned=True)``), so that all look at the same steps without talking. Nothing ends one process alone:
an end is proposed, and agreed on for a step that nobody has reached. ``termination`` reports when the launcher
terminates a process that waits for another. Steps are not repeated.
"""
