from collections import defaultdict


class MeterBoard:
    def __init__(self):
        self.values = defaultdict(list)

    def log(self, **entries):
        for name, value in entries.items():
            self.values[name].append(value)

    def mean(self, name, last=10):
        recent = self.values[name][-last:]
        return sum(float(v) for v in recent) / len(recent)
