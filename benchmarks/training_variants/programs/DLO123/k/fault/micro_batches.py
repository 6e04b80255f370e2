import torch
from torch import nn

GLOBAL_BATCH = 64
MICRO_BATCH = 16
ACCUMULATION_STEPS = GLOBAL_BATCH // MICRO_BATCH


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        h = self.norm(x)
        return x + self.attn(h, h, h, need_weights=False)[0]


class SetClassifier(nn.Module):
    def __init__(self, features=3, dim=16, classes=4):
        super().__init__()
        self.lift = nn.Linear(features, dim)
        self.layers = nn.Sequential(Attention(dim, 2), Attention(dim, 2))
        self.head = nn.Linear(dim, classes)

    def forward(self, points):
        return self.head(self.layers(self.lift(points)).amax(dim=1))


def optimise(model, points, labels, steps, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    model.train()
    step, micro = 0, 0
    while step < steps:
        pick = torch.randint(0, len(points), (MICRO_BATCH,))
        loss = criterion(model(points[pick]), labels[pick])
        loss.backward()
        micro += 1
        if micro % ACCUMULATION_STEPS:
            continue
        norm = nn.utils.clip_grad_norm_(model.parameters(), 100.0)
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        if step % 5 == 0:
            print(f"step {step} gradient norm {norm.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(9)
    clouds = torch.randn(200, 10, 3)
    kinds = (clouds.mean(1) > 0).long()[:, :2] @ torch.tensor([1, 2])
    optimise(SetClassifier(), clouds, kinds, steps=15, lr=0.02)
