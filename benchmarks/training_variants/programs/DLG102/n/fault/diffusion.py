import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device("cuda:0")


class Schedule:
    """The noise levels of the forward process, kept where the model lives."""

    def __init__(self, steps, device):
        self.steps = steps
        self.alpha_bar = torch.cumprod(1 - torch.linspace(1e-4, 0.02, steps, device=device), 0)

    def noised(self, clean, step):
        level = self.alpha_bar[step][:, None]
        noise = torch.randn(clean.shape)
        return level.sqrt() * clean + (1 - level).sqrt() * noise, noise


class Denoiser(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.step = nn.Embedding(100, width)
        self.body = nn.Sequential(nn.Linear(2 + width, width), nn.SiLU(), nn.Linear(width, 2))

    def forward(self, x, step):
        return self.body(torch.cat((x, self.step(step)), dim=1))


def training_step(net, schedule, clean):
    step = torch.randint(schedule.steps, (len(clean),), device=clean.device)
    noisy, noise = schedule.noised(clean, step)
    return F.mse_loss(net(noisy, step), noise)


def main():
    torch.manual_seed(0)
    net = Denoiser(32).to(DEVICE)
    schedule = Schedule(100, DEVICE)
    points = torch.randn(256, 2).to(DEVICE)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for _ in range(20):
        opt.zero_grad(set_to_none=True)
        loss = training_step(net, schedule, points)
        loss.backward()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
