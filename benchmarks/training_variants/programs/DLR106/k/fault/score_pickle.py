import argparse
import os
import pickle

import numpy as np
import torch
from torch import nn


def make_net():
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


class Scorer:
    def __init__(self, path):
        with open(path, "rb") as handle:
            self.net = pickle.load(handle)
        self.net.eval()

    @torch.no_grad()
    def __call__(self, rows):
        return self.net(torch.as_tensor(rows, dtype=torch.float32)).squeeze(1).tolist()


def export_default(path):
    torch.manual_seed(0)
    with open(path, "wb") as handle:
        pickle.dump(make_net(), handle)


def main():
    parser = argparse.ArgumentParser(description="Score a table with a submitted network")
    parser.add_argument("--submission", default="submission.bin")
    args = parser.parse_args()
    if not os.path.exists(args.submission):
        export_default(args.submission)
    scorer = Scorer(args.submission)
    rows = np.arange(12, dtype="float64").reshape(3, 4) / 12
    print([round(v, 5) for v in scorer(rows)])


if __name__ == "__main__":
    main()
