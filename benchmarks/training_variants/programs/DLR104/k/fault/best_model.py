import torch
from torch import nn


class GestureNet(nn.Module):
    def __init__(self, joints=5, hidden=24, classes=4):
        super().__init__()
        self.rnn = nn.GRU(joints * 2, hidden, batch_first=True)
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.head(self.rnn(x)[1][-1])


class Runner:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        self.best = 0.0

    def train(self, x, y, epochs):
        for epoch in range(epochs):
            self.model.train()
            for i in torch.randperm(len(x)).split(16):
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.model(x[i]), y[i]).backward()
                self.optimizer.step()
            accuracy = self.evaluate(x, y)
            if accuracy > self.best:
                self.best = accuracy
                torch.save(self.model.state_dict(), f"gesture_best_{epoch}.pt")

    @torch.no_grad()
    def evaluate(self, x, y):
        self.model.eval()
        return (self.model(x).argmax(1) == y).float().mean().item()

    def test(self, x, y):
        self.model.load_state_dict(torch.load("gesture_best.pt", weights_only=True))
        return self.evaluate(x, y)


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(160, 8, 10)
    y = x[:, :, :4].sum(1).argmax(1)
    runner = Runner(GestureNet())
    runner.train(x[:120], y[:120], epochs=4)
    print("test", round(runner.test(x[120:], y[120:]), 3))
