"""The backend of Keras for all tests, unless the environment names one: with that of TensorFlow some calls end the process."""

from __future__ import annotations

import os

os.environ.setdefault("KERAS_BACKEND", "torch")
