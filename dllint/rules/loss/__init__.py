"""DLL: losses, activations and targets that do not fit each other."""
