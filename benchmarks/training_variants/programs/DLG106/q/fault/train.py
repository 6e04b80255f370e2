"""Metric logger in the style of the detection references: every value is read in every step."""
import time
from collections import defaultdict, deque

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MetricLogger:
    def __init__(self, window=20):
        self.meters = defaultdict(lambda: deque(maxlen=window))

    def update(self, **values):
        for name, value in values.items():
            self.meters[name].append(value.item() if isinstance(value, torch.Tensor) else value)

    def __str__(self):
        return "  ".join(f"{name} {sum(v) / len(v):.4f}" for name, v in self.meters.items())


class TwoTask(nn.Module):
    def __init__(self, width=256):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(40, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.where, self.what = nn.Linear(width, 4), nn.Linear(width, 10)

    def forward(self, x):
        h = self.shared(x)
        return self.where(h), self.what(h)


def boxes(n, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 40, generator=gen)
    return TensorDataset(x, x[:, :4].sigmoid(), x[:, 4:14].argmax(1))


def train(model, loader, optimizer, device, print_every):
    model.train()
    log = MetricLogger()
    for i, batch in enumerate(loader, start=1):
        x, box, label = (t.to(device, non_blocking=True) for t in batch)
        where, what = model(x)
        loss_box = nn.functional.smooth_l1_loss(where, box)
        loss_cls = nn.functional.cross_entropy(what, label)
        optimizer.zero_grad(set_to_none=True)
        (loss_box + loss_cls).backward()
        optimizer.step()
        log.update(box=loss_box, cls=loss_cls)
        if i % print_every == 0:
            print(i, log)


def main():
    torch.manual_seed(0)
    device = torch.device("cuda")
    model = TwoTask().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-4)
    loader = DataLoader(boxes(60_000, 0), batch_size=128, shuffle=True, num_workers=4, pin_memory=True)
    begin = time.perf_counter()
    train(model, loader, optimizer, device, print_every=100)
    torch.cuda.synchronize()
    print(f"{time.perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main()
