"""What torchvision names mean: datasets and transforms as sources of inputs, models, and blocks of ``torchvision.ops``."""
