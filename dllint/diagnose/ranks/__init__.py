"""Diagnosis of several processes that train together under a launcher: exchange of records, and one record made of all.

A thread in each process (``peers``) writes heartbeats and, at the end, an ``excerpt`` of its record to a store (``mailbox``,
``probes/torch/store``); rank 0 reads them and makes a ``union``. No collectives are used, so the exchange can neither dead-lock
nor interfere with the program's own. Sampled steps are multiples of powers of two (``Schedule(aligned=True)``), so all ranks
sample the same steps without communication. No process is ended alone: an end is proposed and agreed on for a step that no rank
has reached. A process that the launcher terminates reports (``diagnose.termination``). Steps are not replayed.
"""
