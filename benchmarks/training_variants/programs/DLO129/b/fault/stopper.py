from copy import deepcopy


class EarlyStopping:
    def __init__(self, patience=4, delta=0.0):
        self.patience = patience
        self.delta = delta
        self.best_score = None
        self.weights = None
        self.counter = 0
        self.stop = False

    def snapshot(self, network):
        return network.state_dict()

    def __call__(self, score, network):
        if self.best_score is None or score > self.best_score + self.delta:
            self.best_score = score
            self.weights = self.snapshot(network)
            self.counter = 0
        else:
            self.counter += 1
            self.stop = self.counter >= self.patience

    def restore(self, network):
        network.load_state_dict(self.weights)
