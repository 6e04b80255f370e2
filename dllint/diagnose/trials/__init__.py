"""Trials: the program is run again for a few steps with each candidate repair, and without any.

- **Branches.** A *branch* is the program with a candidate's edits and a shift of its seeds. ``counterfactual`` plans rounds:
  the program as it is, all candidates with the program's seeds, then the candidates that are left with two more seeds; the
  first round starts no branch after 60 % of the time. ``pairs`` follow for symptoms that no single candidate removed.
  ``progress`` events go to the listener of the run (``trial-started``, ``trial-finished``, ``verdict``).
- **Processes.** ``pool`` talks to a ``nursery``, a process that has imported the frameworks and forks for each branch;
  ``branch`` runs it there with ``edited`` sources and shifted ``seeds``. Writes go to ``scratch``, an ``overlay`` of two trees
  behind the functions of ``os`` and ``open`` (``file_functions``), which a test compares with plain files by random operations;
  an audit hook refuses writes that bypass it.
- **Verdict.** ``verdict`` judges by the symptom, by the yardstick's measure, and by whether anything is learnt. The whole
  program is run again, not the step alone, because that tests exactly the edit that is offered.
- **Measures** (``probes/yardstick``, ``probes/torch/evaluation``). Late predictions of a branch are computed again in
  evaluation mode, before the batch is learned from, so that repairs of dropout, normalisation and modes are judged in the mode
  in which the model is used. Symptoms of branches are all that are ``shown``, including those that another one explains.
  Experiments at the end do not count: no frame of the user's program is below them.
"""
