import torch


class Engine:
    """Runs one model with one optimizer."""

    def __init__(self, model, optimizer, loss_fn, clip=None):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = loss_fn
        self.clip = clip
        self.global_step = 0

    def compute_loss(self, batch):
        features, target = batch
        prediction = self.model(features).squeeze(-1)
        return self.loss_fn(prediction, target)

    def update(self, loss):
        loss.backward()
        if self.clip is not None:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimizer.step()
        self.global_step += 1

    def fit(self, loader, epochs):
        history = []
        for _ in range(epochs):
            self.model.train()
            total = 0.0
            for batch in loader:
                loss = self.compute_loss(batch)
                self.update(loss)
                total += loss.item()
            history.append(total / len(loader))
        return history
