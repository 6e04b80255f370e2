"""Training in a thread, while another process and a forked child compute."""

import multiprocessing
import os
import queue
import subprocess
import sys
import threading

import torch
from torch import nn


def square(numbers):
    return [number * number for number in numbers]


def train(results):
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(30):
        loss = (model(torch.ones(8, 3)) - 2).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    results.put(loss.item())


if __name__ == "__main__":
    results = queue.Queue()
    thread = threading.Thread(target=train, args=(results,))
    thread.start()
    thread.join()
    print(results.get())
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(square, [[1, 2], [3]]))
    child = os.fork()
    if child == 0:
        os._exit(5)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    print(subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, text=True).stdout.strip())
