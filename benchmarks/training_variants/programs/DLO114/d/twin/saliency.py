"""Saliency maps and FGSM for a small convolutional classifier."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class SmallCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.fc = nn.Linear(8 * 10 * 10, 4)

    def forward(self, x):
        return self.fc(F.relu(self.conv(x)).flatten(1))


def fgsm(model, image, label, epsilon):
    image = image.clone()
    image.requires_grad = True
    loss = F.nll_loss(F.log_softmax(model(image), dim=1), label)
    model.zero_grad()
    loss.backward()
    return (image + epsilon * image.grad.sign()).clamp(0, 1).detach()


def fit(model, x, y):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(20):
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()


model = SmallCNN()
x = torch.rand(40, 1, 12, 12)
y = torch.randint(0, 4, (40,))
fit(model, x, y)
model.eval()
for eps in (0.0, 0.05, 0.1):
    attacked = fgsm(model, x, y, eps)
    with torch.no_grad():
        acc = (model(attacked).argmax(1) == y).float().mean()
    print(f"eps {eps}: {acc.item():.3f}")
