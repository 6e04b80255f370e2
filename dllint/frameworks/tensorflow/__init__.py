"""What the TensorFlow 2 names used beside Keras mean."""
