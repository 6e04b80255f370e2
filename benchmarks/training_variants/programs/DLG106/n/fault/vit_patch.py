import torch
from torch import nn


class PatchNet(nn.Module):
    def __init__(self, classes=5, width=24):
        super().__init__()
        self.cut = nn.Conv2d(3, width, 4, 4)
        self.mix = nn.TransformerEncoderLayer(width, 4, 48, dropout=0.0, batch_first=True)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        tokens = self.cut(x).flatten(2).transpose(1, 2)
        return self.head(self.mix(tokens).mean(1))


def hits(logits, labels):
    return (logits.argmax(1) == labels).float().mean()


class Loop:
    every = 10

    def __init__(self, net, device):
        self.net, self.device = net.to(device), device
        self.opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)

    def log(self, step, loss, score):
        print(f"{step:4d} loss {loss:.3f} accuracy {score:.3f}")

    def train(self, batches):
        self.net.train()
        for step, (x, y) in enumerate(batches):
            x, y = x.to(self.device), y.to(self.device)
            logits = self.net(x)
            loss = nn.functional.cross_entropy(logits, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.log(step, loss.detach(), hits(logits.detach(), y))


if __name__ == "__main__":
    torch.manual_seed(1)
    where = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = [(torch.randn(8, 3, 16, 16), torch.randint(5, (8,))) for _ in range(12)]
    Loop(PatchNet(), where).train(data)
