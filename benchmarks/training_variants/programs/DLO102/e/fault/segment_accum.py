"""Toy road segmentation with gradient accumulation (small GPU)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

ACCUM_STEPS = 4
torch.manual_seed(0)


def conv_block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True))


class TinySeg(nn.Module):
    def __init__(self, n_classes=2):
        super().__init__()
        self.down = conv_block(3, 16)
        self.mid = conv_block(16, 16)
        self.out = nn.Conv2d(16, n_classes, 1)

    def forward(self, x):
        d = self.down(x)
        m = self.mid(F.max_pool2d(d, 2))
        return self.out(F.interpolate(m, scale_factor=2, mode="nearest") + d)


images = torch.rand(64, 3, 24, 24)
masks = (images.mean(1) > 0.5).long()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(images, masks), batch_size=4, shuffle=True)

net = TinySeg()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
criterion = nn.CrossEntropyLoss()

net.train()
for epoch in range(3):
    epoch_loss = 0.0
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = criterion(net(x), y) / ACCUM_STEPS
        loss.backward()
        epoch_loss += loss.item() * ACCUM_STEPS
        if (i + 1) % ACCUM_STEPS == 0:
            optimizer.zero_grad()
            optimizer.step()
    print("epoch", epoch, "loss", round(epoch_loss / len(loader), 4))
