"""Where programs come from that are run: each module gives texts, as many as are asked for, the same ones for the same seed."""
