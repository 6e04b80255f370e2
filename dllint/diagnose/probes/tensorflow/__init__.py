"""The probe for TensorFlow: tapes, and steps inside compiled functions."""
