import torch
from torch import nn


class AdversarialLoss(nn.Module):
    def __init__(self, smooth=0.1):
        super().__init__()
        self.smooth = smooth
        self.bce = nn.BCEWithLogitsLoss()

    def target(self, scores, real):
        labels = torch.ones(scores.shape, device=scores.device)
        return labels - self.smooth if real else labels * 0.0

    def forward(self, scores, real):
        return self.bce(scores, self.target(scores, real))
