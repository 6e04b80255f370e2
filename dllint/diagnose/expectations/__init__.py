"""Tests of a model and its data: what is measured for them, and the files that are written."""
