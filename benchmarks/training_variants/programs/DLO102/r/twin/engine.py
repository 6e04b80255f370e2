"""A small training engine."""


class Engine:
    def __init__(self, model, optimizer, criterion):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion

    def _backward(self, loss):
        loss.backward()

    def _update(self):
        self.optimizer.step()
        self.optimizer.zero_grad()

    def run(self, batches, epochs):
        self.model.train()
        for _ in range(epochs):
            for x, y in batches:
                loss = self.criterion(self.model(x), y)
                self._backward(loss)
                self._update()
        return loss.item()
