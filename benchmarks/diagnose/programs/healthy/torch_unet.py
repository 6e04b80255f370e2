"""U-Net after Ronneberger et al., as in many public segmentation repositories: cross entropy of pixels and Dice together."""

import sys

import torch
import torch.nn.functional as F
from torch import nn


def double_conv(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
        nn.Conv2d(outputs, outputs, 3, padding=1),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2, self.bottom = double_conv(1, 8), double_conv(8, 16), double_conv(16, 32)
        self.up2, self.up1 = nn.ConvTranspose2d(32, 16, 2, 2), nn.ConvTranspose2d(16, 8, 2, 2)
        self.join2, self.join1 = double_conv(32, 16), double_conv(16, 8)
        self.head = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        first = self.down1(x)
        second = self.down2(F.max_pool2d(first, 2))
        x = self.bottom(F.max_pool2d(second, 2))
        x = self.join2(torch.cat([second, self.up2(x)], 1))
        x = self.join1(torch.cat([first, self.up1(x)], 1))
        return self.head(x)


def discs(count):
    """Discs on a noisy ground, and their masks."""
    grid = torch.arange(16.0)
    centre, radius = 4 + 8 * torch.rand(count, 2, 1, 1), 2 + 2 * torch.rand(count, 1, 1)
    mask = ((grid[:, None] - centre[:, 0]) ** 2 + (grid - centre[:, 1]) ** 2 < radius**2).float()[:, None]
    return mask + 0.5 * torch.randn(count, 1, 16, 16), mask


def dice_loss(logits, masks):
    probabilities = torch.sigmoid(logits)
    overlap = (probabilities * masks).sum((1, 2, 3))
    return 1 - ((2 * overlap + 1) / (probabilities.sum((1, 2, 3)) + masks.sum((1, 2, 3)) + 1)).mean()


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
images, masks = discs(256)
test_images, test_masks = discs(64)
model = UNet()
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3, weight_decay=1e-8, momentum=0.9)
for epoch in range(6):
    model.train()
    for at in torch.randperm(len(images)).split(16):
        logits = model(images[at])
        loss = F.binary_cross_entropy_with_logits(logits, masks[at]) + dice_loss(logits, masks[at])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    model.eval()
    with torch.no_grad():
        score = 1 - float(dice_loss(model(test_images), test_masks))
    print(f"epoch {epoch}: {score:.3f}")
assert score > 0.8
