"""Importing this module registers every builtin and standard library function the interpreter knows."""

from __future__ import annotations

from dllint.lower.natives import containers, evaluated, functions, numbers, objects, patterns, records, sequences, stdlib, text

ALL = (containers, evaluated, functions, numbers, objects, patterns, records, sequences, stdlib, text)
