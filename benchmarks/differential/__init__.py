"""Generated programs, run by the real frameworks and read by dllint: every claim is compared with what the run shows."""
