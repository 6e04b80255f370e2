"""A toy diffusion model of points in the plane, with an average of the weights for sampling."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


def moons(count, generator):
    angle = torch.pi * torch.rand(count, generator=generator)
    upper = torch.rand(count, generator=generator) < 0.5
    x = torch.where(upper, torch.cos(angle), 1 - torch.cos(angle))
    y = torch.where(upper, torch.sin(angle), 0.5 - torch.sin(angle))
    points = torch.stack([x - 0.5, y - 0.25], dim=1)
    return points + 0.05 * torch.randn(count, 2, generator=generator)


class Schedule:
    """The noise that is added in each of the steps."""

    def __init__(self, steps):
        self.steps = steps
        self.betas = torch.linspace(1e-3, 0.25, steps)
        self.alphas = 1 - self.betas
        self.kept = torch.cumprod(self.alphas, 0)

    def noised(self, points, step, noise):
        kept = self.kept[step].unsqueeze(1)
        return kept.sqrt() * points + (1 - kept).sqrt() * noise


class Denoiser(nn.Module):
    def __init__(self, steps, width=96):
        super().__init__()
        self.time = nn.Embedding(steps, width)
        self.entry = nn.Linear(2, width)
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])
        self.out = nn.Linear(width, 2)

    def forward(self, points, step):
        hidden = self.entry(points) + self.time(step)
        for layer in self.layers:
            hidden = hidden + F.silu(layer(hidden))
        return self.out(hidden)


@torch.no_grad()
def draw(model, schedule, count):
    points = torch.randn(count, 2)
    for step in reversed(range(schedule.steps)):
        index = torch.full((count,), step)
        noise = model(points, index)
        slope = schedule.betas[step] / (1 - schedule.kept[step]).sqrt()
        points = (points - slope * noise) / schedule.alphas[step].sqrt()
        if step > 0:
            points = points + schedule.betas[step].sqrt() * torch.randn_like(points)
    return points


def distance(first, second):
    """Mean distance of each drawn point to the nearest true one."""
    return torch.cdist(first, second).min(dim=1).values.mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--updates", type=int, default=2000)
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--steps", type=int, default=40)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    data = moons(4000, torch.Generator().manual_seed(args.seed))
    schedule = Schedule(args.steps)
    model = Denoiser(args.steps)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.99))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    running = 0.0
    for update in range(1, args.updates + 1):
        points = data[torch.randint(len(data), (args.batch_size,))]
        step = torch.randint(args.steps, (args.batch_size,))
        noise = torch.randn_like(points)
        loss = F.mse_loss(model(schedule.noised(points, step, noise), step), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update_parameters(model)
        running += loss.item()
        if update % 500 == 0:
            print(f"update {update}: loss {running / 500:.4f}")
            running = 0.0
    average.eval()
    drawn = draw(average, schedule, 1000)
    print(f"distance to the data {distance(drawn, data):.4f}, of plain noise {distance(torch.randn(1000, 2), data):.4f}")


if __name__ == "__main__":
    main()
