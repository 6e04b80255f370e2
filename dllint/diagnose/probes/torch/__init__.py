"""The probe for PyTorch."""
