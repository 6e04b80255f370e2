import argparse

import torch
from torch import nn


class ChunkEncoder(nn.Module):
    def __init__(self, width=16, states=6):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, width, 8, 4), nn.GELU(), nn.Conv1d(width, width, 4, 2), nn.GELU())
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, states)

    def forward(self, wave):
        features = self.conv(wave.unsqueeze(1)).transpose(1, 2)
        return self.out(self.rnn(features)[0])


class Transcriber:
    def __init__(self, model, chunk):
        self.model, self.chunk = model.eval(), chunk

    def chunks(self, wave):
        for start in range(0, wave.numel() - self.chunk + 1, self.chunk):
            piece = wave[start:start + self.chunk]
            piece.sub(piece.mean()).div(piece.std() + 1e-5)
            yield piece.unsqueeze(0)

    @torch.no_grad()
    def __call__(self, wave):
        symbols = []
        for piece in self.chunks(wave):
            best = self.model(piece).argmax(-1)[0]
            symbols += [int(s) for s in torch.unique_consecutive(best) if s != 0]
        return symbols


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chunk", type=int, default=160)
    args = parser.parse_args()
    torch.manual_seed(0)
    wave = 40 * torch.sin(torch.linspace(0, 200, 800)) + 25
    print(Transcriber(ChunkEncoder(), args.chunk)(wave))


if __name__ == "__main__":
    main()
