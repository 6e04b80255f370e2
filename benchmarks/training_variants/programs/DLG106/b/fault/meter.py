class AverageMeter:
    def __init__(self, name):
        self.name = name
        self.total, self.count = 0.0, 0

    def update(self, value, n=1):
        self.total += value.item() * n
        self.count += n

    def average(self):
        return self.total / self.count
