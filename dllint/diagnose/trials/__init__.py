"""Trials: the program is run again for a few steps with each candidate repair, and without any.

- **Trials** (``trials/``, ``treatment``). A *branch* is the program with a candidate's edits and a shift of its
  seeds, run for a few steps: ``counterfactual`` plans rounds (as it is, all candidates with the program's seeds,
  survivors with two more; the first round begins nothing after 60 % of the time; then ``pairs`` for symptoms that
  nothing removed) and tells ``progress`` to the listener of the run (``trial-started``, ``trial-finished``,
  ``verdict``), ``pool`` talks to a ``nursery``, a process that has imported the frameworks and forks for each branch;
  ``branch`` runs it there with ``edited`` sources, shifted ``seeds``, and writes led to ``scratch``: an ``overlay``
  of two trees behind the functions of ``os`` and ``open`` (``file_functions``), which a test compares with plain
  files by random operations; what is written past them an audit hook refuses. ``verdict`` judges by the symptom, by
  the yardstick's measure, and by whether anything is learnt. The whole program is run again rather than the step
  alone, because that tests exactly the edit that is offered.
- **What is measured** (``probes/yardstick``, ``probes/torch/evaluation``). Late predictions of a branch are computed
  again in evaluation mode, before the batch is learned from, so that repairs of dropout, normalisation and modes are
  judged by what the model is for. Symptoms of branches are all that are ``shown``, those that another one explains
  included. Experiments at the end do not count: no frame of the user's is below them.
"""
