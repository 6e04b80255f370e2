import torch
from torch import nn

from ddpm import GaussianDiffusion


class SmallUNet(nn.Module):
    def __init__(self, ch=16, timesteps=200):
        super().__init__()
        self.t_emb = nn.Embedding(timesteps, ch)
        self.inc = nn.Conv2d(1, ch, 3, padding=1)
        self.down = nn.Conv2d(ch, ch, 4, 2, 1)
        self.up = nn.ConvTranspose2d(ch, ch, 4, 2, 1)
        self.outc = nn.Conv2d(2 * ch, 1, 3, padding=1)

    def forward(self, x, t):
        h = torch.relu(self.inc(x) + self.t_emb(t)[:, :, None, None])
        d = torch.relu(self.down(h))
        return self.outc(torch.cat([h, torch.relu(self.up(d))], 1))


def main():
    torch.manual_seed(0)
    diffusion = GaussianDiffusion(SmallUNet()).cuda()
    opt = torch.optim.Adam(diffusion.parameters(), lr=2e-4)
    data = torch.rand(64, 1, 16, 16) * 2 - 1
    for epoch in range(2):
        for x in data.split(16):
            loss = diffusion(x.cuda())
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
