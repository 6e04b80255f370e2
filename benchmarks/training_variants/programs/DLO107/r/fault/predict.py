"""Write predictions of a trained network to a file."""
import csv

import torch


def write_predictions(net, rows, path):
    with torch.no_grad(), open(path, "w", newline="") as out:
        writer = csv.writer(out)
        for start in range(0, len(rows), 16):
            scores = net(rows[start:start + 16]).softmax(dim=1)
            writer.writerows(scores.tolist())
