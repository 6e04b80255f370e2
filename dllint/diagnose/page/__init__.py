"""The report of a run as one HTML file: what was found, with its source, its courses and its repairs.

- **What people see.** ``headline`` has the verdict in a sentence and the closing lines; ``report/repairs`` words the
  trials and the table of findings; ``page/`` the HTML document, of the parts in ``dllint/page`` (elements that
  escape, scales, charts, heat maps as a path per level, excerpts and differences; one style sheet; no scripts).
  ``pace`` says a few times per second how far the run is; ``cli/live`` shows it in a row that the terminal keeps from
  scrolling (``cli/status_row``), so that neither stream of the program is replaced. ``tensorboard/`` writes event
  files by itself.
- To add an output: ``report/`` renders findings with their ``Observation`` (``report/json`` does); what needs the whole
  run (curves, heat maps) gets a ``Diagnosis`` and belongs to ``diagnose/``. What is shown meanwhile is a listener of
  the monitor's events, as ``stream.EventStream`` is.
- To add a part of the page: a function from the record to ``Markup`` in ``diagnose/page/``, and a ``section`` in
  ``page.page``.
- To add a number per layer and step for heat maps and TensorBoard: a ``Measure`` in ``layer_courses``.
"""
