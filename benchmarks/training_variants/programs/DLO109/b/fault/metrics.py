class Accuracy:
    def __init__(self):
        self.reset()

    def reset(self):
        self.correct = 0
        self.count = 0

    def update(self, logits, labels):
        self.correct += int((logits.argmax(-1) == labels).sum())
        self.count += labels.numel()

    def compute(self):
        return self.correct / max(self.count, 1)
