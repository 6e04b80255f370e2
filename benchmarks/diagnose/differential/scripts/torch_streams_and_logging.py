"""Output in all ways: print, logging, carriage returns, a redirected stream, warnings."""

import contextlib
import io
import logging
import sys
import warnings

import torch
from torch import nn

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
log = logging.getLogger("train")
torch.manual_seed(0)
model = nn.LSTM(2, 4)
optimizer = torch.optim.Rprop(model.parameters(), lr=0.01)
for step in range(25):
    output, _ = model(torch.randn(5, 3, 2))
    loss = nn.functional.l1_loss(output.mean(-1), torch.zeros(5, 3))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    sys.stdout.write(f"\rstep {step}")
    if step % 10 == 0:
        print()
        log.info("loss %.6f", loss.item())
kept = io.StringIO()
with contextlib.redirect_stdout(kept):
    print("kept")
print(repr(kept.getvalue()))
warnings.warn("the program's own", stacklevel=1)
sys.stderr.write("to standard error\n")
print(__name__, __file__.rpartition("/")[2], sys.argv[1:], "__main__" in sys.modules)
