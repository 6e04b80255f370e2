"""Where checkpoints lie."""
import os

FOLDER = "checkpoints"


def path_of(name):
    return os.path.join(FOLDER, name)
