import glob
import os
import pickle

import torch
from torch import nn


class Ensemble:
    """Mean of all members that are found in the folder of uploads."""

    def __init__(self, folder):
        self.members = []
        for path in sorted(glob.glob(os.path.join(folder, "*.bin"))):
            with open(path, "rb") as handle:
                state = pickle.load(handle)
            member = member_net()
            member.load_state_dict(state)
            self.members.append(member.eval())

    @torch.no_grad()
    def __call__(self, x):
        return torch.stack([m(x).softmax(-1) for m in self.members]).mean(0)


def member_net():
    return nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 3))


def upload(folder, count):
    os.makedirs(folder, exist_ok=True)
    for k in range(count):
        torch.manual_seed(k)
        with open(os.path.join(folder, f"member{k}.bin"), "wb") as handle:
            pickle.dump(member_net().state_dict(), handle)


if __name__ == "__main__":
    upload("uploads", 3)
    ensemble = Ensemble("uploads")
    print(len(ensemble.members), "members")
    print(ensemble(torch.zeros(1, 5)).numpy().round(4))
