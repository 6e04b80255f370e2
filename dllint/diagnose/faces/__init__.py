"""Ways into a diagnosis from inside a program: callbacks of training libraries, and the notebook extension."""
