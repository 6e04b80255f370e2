import torch


class Predictor:
    """Wraps a network for use after training."""

    def __init__(self, network, threshold=0.5):
        self.network = network
        self.threshold = threshold

    @torch.no_grad()
    def masks(self, images):
        return torch.sigmoid(self.network(images)) > self.threshold

    def dice(self, images, truth):
        mask = self.masks(images)
        overlap = (mask & truth).sum().item()
        return 2 * overlap / max(1, mask.sum().item() + truth.sum().item())
