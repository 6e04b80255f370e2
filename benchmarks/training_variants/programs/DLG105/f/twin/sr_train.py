import gc

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class ESPCN(nn.Module):
    def __init__(self, scale=2):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 16, 5, padding=2), nn.Tanh(), nn.Conv2d(16, scale ** 2, 3, padding=1))
        self.shuffle = nn.PixelShuffle(scale)

    def forward(self, x):
        return self.shuffle(self.body(x))


def psnr(mse):
    return 10 * torch.log10(1.0 / mse)


torch.manual_seed(123)
hr = torch.rand(40, 1, 16, 16).cumsum(3) / 16
lr_imgs = nn.functional.avg_pool2d(hr, 2)

model = ESPCN().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    for i in range(0, 40, 8):
        x, y = lr_imgs[i:i + 8].to(device), hr[i:i + 8].to(device)
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    gc.collect()
    print("epoch {} psnr {:.3f}".format(epoch, psnr(loss.detach()).item()))
