class AverageMeter:
    def __init__(self, name):
        self.name = name
        self.total, self.count = 0.0, 0

    def update(self, value, n=1):
        self.total += value.detach() * n
        self.count += n

    def average(self):
        return float(self.total) / self.count
