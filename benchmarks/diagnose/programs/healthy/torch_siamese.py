"""Siamese network after pytorch/examples/siamese_network: two images through one network, are they of one class?"""

import sys

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    """Pairs of noisy patterns, half of them of one class."""

    def __init__(self, count):
        self.patterns = torch.randn(5, 1, 8, 8, generator=torch.Generator().manual_seed(7))
        self.first, self.other = torch.randint(0, 5, (2, count))
        same = torch.rand(count) < 0.5
        self.second = torch.where(same, self.first, self.other)

    def __len__(self):
        return len(self.first)

    def __getitem__(self, index):
        first, second = int(self.first[index]), int(self.second[index])
        images = [self.patterns[label] + 0.4 * torch.randn(1, 8, 8) for label in (first, second)]
        return *images, torch.tensor(float(first == second))


class SiameseNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(256, 32)
        )
        self.fc = nn.Sequential(nn.Linear(64, 32), nn.ReLU(inplace=True), nn.Linear(32, 1))
        self.sigmoid = nn.Sigmoid()

    def forward(self, input1, input2):
        output = torch.cat((self.body(input1), self.body(input2)), 1)
        return self.sigmoid(self.fc(output))


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
model = SiameseNetwork()
optimizer = optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.BCELoss()
for epoch in range(4):
    model.train()
    for images_1, images_2, targets in DataLoader(Pairs(1600), batch_size=32, shuffle=True):
        optimizer.zero_grad()
        outputs = model(images_1, images_2).squeeze()
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        images_1, images_2, targets = next(iter(DataLoader(Pairs(400), batch_size=400)))
        accuracy = float(((model(images_1, images_2).squeeze() > 0.5) == targets.bool()).float().mean())
    print(f"epoch {epoch}: {accuracy:.3f}")
assert accuracy > 0.8
