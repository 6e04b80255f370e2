"""What Hugging Face's names mean: base classes of models, decorators that only document."""
