"""Cyclic rates for a small convnet on synthetic textures, module-level script."""
import torch
from torch import nn, optim
from torch.optim.lr_scheduler import MultiStepLR
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(99)

kernels = torch.randn(5, 1, 3, 3)
labels = torch.arange(1000) % 5
noise = torch.randn(1000, 1, 14, 14)
textures = torch.cat([nn.functional.conv2d(noise[i : i + 1], kernels[labels[i]][None], padding=1) for i in range(1000)])
textures = (textures - textures.mean()) / textures.std()
loader = DataLoader(TensorDataset(textures, labels), batch_size=40, shuffle=True)

net = nn.Sequential(
    nn.Conv2d(1, 12, 3), nn.ReLU(), nn.Conv2d(12, 12, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(48, 5)
)
objective = nn.CrossEntropyLoss()
sgd = optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
decay = MultiStepLR(sgd, milestones=[3, 5], gamma=0.3)

for epoch in range(6):
    correct = 0
    for image, label in loader:
        sgd.zero_grad()
        logits = net(image)
        objective(logits, label).backward()
        sgd.step()
        correct += (logits.argmax(dim=1) == label).sum().item()
    decay.step
    print(f"epoch {epoch}: running accuracy {correct / len(labels):.3f}, next rate {sgd.param_groups[0]['lr']:.4g}")
