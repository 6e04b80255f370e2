import torch
import torch.nn.functional as F

from net import PatchDetector


def batches(n, size, gen):
    for _ in range(n):
        x = torch.randn(size, 1, 12, 12, generator=gen)
        y = torch.rand(size, generator=gen).round()
        x[:, :, 4:8, 4:8] += 3 * y.view(-1, 1, 1, 1)
        yield x, y


class Engine:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)

    def train_epoch(self, data):
        self.model.train()
        for x, y in data:
            _, score = self.model(x)
            self.optimizer.zero_grad()
            F.binary_cross_entropy_with_logits(score, y).backward()
            self.optimizer.step()

    def evaluate(self, data):
        self.model.eval()
        hits, seen = 0, 0
        for x, y in data:
            _, score = self.model(x)
            hits += int(((score > 0).float() == y).sum())
            seen += y.numel()
        return hits / seen


if __name__ == "__main__":
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)
    engine = Engine(PatchDetector())
    for epoch in range(3):
        engine.train_epoch(batches(15, 16, gen))
        print(f"epoch {epoch} accuracy {engine.evaluate(batches(4, 16, gen)):.3f}")
