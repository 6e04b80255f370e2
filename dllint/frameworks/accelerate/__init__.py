"""Accelerate, and Lightning's Fabric: engines that put models, optimizers and loaders on their devices and give them back."""
