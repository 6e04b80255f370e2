import logging

import torch
from torch import nn

log = logging.getLogger(__name__)


class FlowStep(nn.Module):
    """Affine coupling."""

    def __init__(self, dim, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(dim // 2, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, 1)
        s = torch.tanh(s)
        b = b * s.exp() + t
        return (torch.cat([b, a], 1) if self.flip else torch.cat([a, b], 1)), s.sum(1)


def nll(flow, x):
    logdet = 0
    for f in flow:
        x, ld = f(x)
        logdet = logdet + ld
    return (0.5 * x.pow(2).sum(1) - logdet).mean()


def train(flow, data, iters, device):
    opt = torch.optim.Adam(flow.parameters(), lr=1e-3)
    for it in range(iters):
        x = data[torch.randint(0, len(data), (64,), device=device)]
        loss = nll(flow, x)
        if torch.isnan(loss):
            log.warning("loss became NaN at %d", it)
            break
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss


if __name__ == "__main__":
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    points = torch.randn(500, 4, device=device) * torch.tensor([1.0, 2.0, 0.5, 1.0], device=device) + 1
    flow = nn.ModuleList([FlowStep(4, bool(i % 2)) for i in range(4)]).to(device)
    print("%.4f" % train(flow, points, 60, device).item())
