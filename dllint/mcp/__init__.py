"""The server for coding agents (Model Context Protocol, standard input and output): ``dllint mcp``.

    agent ─ protocol ─► tools ─► roots ─► desk ─ pipe ─► worker ─► work/     one module for each tool
                                           └─ runs: `dllint diagnose`, only if the user allows it

- The tools answer in a few lines that cite ``file:line:column``, and as structured output (``answers``). What is cut is
  counted.
- Paths lead into the roots that the user names, after links and ``..`` are resolved (``roots``); other paths are refused.
- The analysis is done in a process of its own (``desk``), with the limits of ``dllint check`` for each file and an end for each
  question. A process that does not answer in time is ended, and the next question starts another one.
- Nothing is written: fixes are edits that the agent applies itself.
"""
