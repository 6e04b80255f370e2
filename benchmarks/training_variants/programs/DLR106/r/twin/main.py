import pathlib
import tempfile

import torch
from torch import nn

import zoo


def main():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "net.pt"
        torch.save(nn.Linear(3, 2).state_dict(), source)
        print(zoo.load_pretrained(nn.Linear(3, 2), source.as_uri()).weight.shape)


if __name__ == "__main__":
    main()
