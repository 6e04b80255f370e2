"""Command-line flags of absl, which TensorFlow 1 has as ``tf.app.flags``."""
