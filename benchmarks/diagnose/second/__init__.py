"""A second suite for ``diagnose``, written by people who know nothing of the tool's rules, measures and results.

``entries.json`` says of each faulty program which public report it follows, the lines of the cause, the symptom and the
right repair in words, and what the last line of output was for the program and for its repaired twin (seed 0).
"""
