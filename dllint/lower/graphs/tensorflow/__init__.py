"""TensorFlow's graph files, read as data and imported into the IR: neither TensorFlow nor anything of the graph is executed."""
