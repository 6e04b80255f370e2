"""``dllint summary`` against real models of installed libraries."""
