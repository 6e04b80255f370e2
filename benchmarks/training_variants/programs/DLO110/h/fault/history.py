class History:
    """Keeps scalars by name, in the order in which they came."""

    def __init__(self):
        self.values = {}

    def add(self, **scalars):
        for name, value in scalars.items():
            self.values.setdefault(name, []).append(value)

    def last_mean(self, name, n=10):
        tail = self.values[name][-n:]
        return sum(tail) / len(tail)
