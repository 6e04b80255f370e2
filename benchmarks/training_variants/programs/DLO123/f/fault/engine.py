import torch


class Engine:
    def __init__(self, model, criterion, optimizer, accumulate_grad_batches=1, device="cpu"):
        self.model = model.to(device)
        self.criterion = criterion
        self.optimizer = optimizer
        self.accumulate = accumulate_grad_batches
        self.device = device

    def step(self, batch_idx, batch):
        x, y = (t.to(self.device) for t in batch)
        loss = self.criterion(self.model(x), y)
        loss.backward()
        if (batch_idx + 1) % self.accumulate == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            self.optimizer.zero_grad()
            losses = [self.step(i, b) for i, b in enumerate(loader)]
            print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")
