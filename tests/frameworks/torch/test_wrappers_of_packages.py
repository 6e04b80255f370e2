"""What packages wrap modules with computes what the module computes."""

from __future__ import annotations

import pytest

from tests.lower.tracing import values

WRAPPED = {
    "fsdp": "from torch.distributed.fsdp import FullyShardedDataParallel as F\nmade = F({net})\n",
    "fsdp by module": "import torch.distributed.fsdp as fsdp\nmade = fsdp.FullyShardedDataParallel({net}, device_id=0)\n",
    "fx": "made = torch.fx.symbolic_trace({net})\n",
    "dynamic": "made = torch.ao.quantization.quantize_dynamic({net}, dtype=torch.qint8)\n",
    "apex": "from apex.parallel import DistributedDataParallel as DDP\nmade = DDP({net})\n",
    "apex amp": "from apex import amp\nmade, o = amp.initialize({net}, torch.optim.SGD([w], 0.1), opt_level='O1')\n",
    "apex amp alone": "from apex import amp\nmade = amp.initialize({net})\n",
    "fairscale": "from fairscale.nn import FullyShardedDataParallel\nmade = FullyShardedDataParallel({net})\n",
    "peft": "import peft\nmade = peft.get_peft_model({net}, peft.LoraConfig(r=4))\n",
    "ray": "import ray.train.torch\nmade = ray.train.torch.prepare_model({net})\n",
}
USES = {
    "called": "out = made(torch.zeros(2, 3))\n",
    "helper": "def run(model, x):\n    model.train()\n    return model(x)\nout = run(made, torch.zeros(2, 3))\n",
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("wrapped", WRAPPED)
def test_a_wrapped_module_computes_the_same(wrapped, use):
    program = "import torch\nimport torch.nn as nn\nw = torch.zeros(3, requires_grad=True)\nnet = nn.Linear(3, 4)\n"
    for net in ("net", "nn.Sequential(nn.Linear(3, 4), nn.ReLU())"):
        assert str(values(program + WRAPPED[wrapped].format(net=net) + USES[use])["out"].shape) == "(2, 4)"
