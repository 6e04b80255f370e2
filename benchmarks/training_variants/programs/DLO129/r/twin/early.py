"""Early stopping that remembers the best weights."""


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.best = float("inf")
        self.weights = None
        self.waited = 0

    def update(self, loss, net):
        if loss < self.best:
            self.best, self.waited = loss, 0
            self.weights = {name: value.clone() for name, value in net.state_dict().items()}
        else:
            self.waited += 1
        return self.waited >= self.patience

    def restore(self, net):
        if self.weights is not None:
            net.load_state_dict(self.weights)
