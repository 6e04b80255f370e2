"""What Keras names mean: name forms, layer and function rows, identifiers, and the protocols of models and layers."""
