"""Recall and false alarms on labelled programs."""
