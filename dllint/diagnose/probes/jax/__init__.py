"""The probe for JAX."""
