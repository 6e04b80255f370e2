from torch.utils.data import Dataset


class WindowDataset(Dataset):
    """Sliding windows over one series."""

    def __init__(self, series, past, horizon):
        self.series = series
        self.past = past
        self.horizon = horizon

    def __len__(self):
        return len(self.series) - self.past - self.horizon + 1

    def __getitem__(self, i):
        cut = i + self.past
        return self.series[i:cut], self.series[cut:cut + self.horizon]
