"""The language server: diagnostics, quick fixes, hovers and inlay hints for editors, over standard input and output.

Two processes. The one that the editor starts handles the protocol (pygls) and never analyses; the other analyses and
never writes to the client. So a large file, a rule that hangs or a crash of the parser delays no request, and
whatever prints cannot get between the frames of the protocol (``stdio`` moves standard output out of the way before
anything else is imported).

    editor ◄─frames─► app, features ── state: files, notebooks, settings, folders ── backend
    backend ◄─pickled messages─► worker ─ jobs ─ cells ─ analyst ─► engine

- **Messages** (``messages``) are plain data: news (a buffer, a change on disk, settings) and questions (check, prove
  fixes, fix all), each answered once, be it by ``Superseded``. The editor's process keeps texts in the editor's units
  (``text``); everything else counts code points.
- **When** (``checking``): a file is checked when somebody asks for its diagnostics (the editor pulls, or a
  publication is due) and anything has changed since, after a pause in typing. ``jobs`` lets news overtake questions,
  and an edit ends the check it makes pointless at the next checkpoint of the interpreter
  (``lower.options.Checkpoint``).
- **Diagnostics** come first, without proof of their fixes; a fix goes through the gate when the editor asks for the
  actions at its finding (``Session.fixes_for``), fix-all when it is chosen.
- **Notebooks** (``notebooks``) are open files with several texts, one for each Python cell (``parts``). The analysis
  process makes one module of them for the analyst and gives places and edits in terms of cells (``cells``).
- **Hovers and inlay hints** are answered from a table of what was known at the places of the last text that was analysed
  (``places``), sent after the findings. While a text does not parse, the last good trees count where it does not
  (``engine/continuity.py``). What was edited since has no answer; the rest is found again by its distance
  from either end (``lookup``).
- **Runs** (``runs``): ``dllint.bisect`` and ``dllint.diagnose`` start ``python -m dllint …`` in the user's
  interpreter, in a process group of its own (``child``), and follow its standard error and its events into the
  editor's progress (``work_progress``). What they have found is read from the report (``runs/findings.py``) and kept with
  the lines that the run has seen (``marks``); every time diagnostics are wanted, those lines are looked for in the
  text of the moment. So nothing has to be kept up to date with edits, and an undone edit brings a finding back.
  Repairs are placed in the same way when actions are wanted, and must parse (``runs/fixes.py``).
- **Settings** that cannot be used leave the last ones in force, which is said once (``sessions``).
- **Crashes**: ``backend`` starts another process and sends it the state of the one before. A file that crashed it
  twice, or whose analysis did not end, is left alone until it is edited.
"""
