import torch
import torch.nn as nn


class CharCNN(nn.Module):
    def __init__(self, alphabet=30, classes=4):
        super().__init__()
        self.embed = nn.Embedding(alphabet, 12)
        self.conv = nn.Conv1d(12, 24, 3)
        self.norm = nn.LayerNorm(24)
        self.cls = nn.Linear(24, classes)

    def forward(self, ids):
        h = torch.relu(self.conv(self.embed(ids).transpose(1, 2))).amax(-1)
        return self.cls(self.norm(h))


def configure_optimizer(model, lr=2e-3, weight_decay=0.05):
    decay, no_decay = [], []
    for name, p in model.named_parameters():
        (no_decay if p.ndim == 1 or "embed" in name else decay).append(p)
    groups = [
        {"params": decay, "weight_decay": weight_decay},
        {"params": no_decay, "weight_decay": 0.0},
    ]
    return torch.optim.Adam(groups, lr=lr)


def main():
    torch.manual_seed(3)
    ids = torch.randint(0, 30, (128, 10))
    topic = ids[:, 0] % 4
    model = CharCNN()
    optimizer = configure_optimizer(model)
    for step in range(40):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(ids), topic)
        loss.backward()
        optimizer.step()
    print("loss %.4f  |W| %.4f" % (loss.item(), model.cls.weight.norm().item()))


main()
