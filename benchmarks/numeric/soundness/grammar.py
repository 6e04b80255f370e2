"""What random programs are written in: templates of torch source text.

Written by hand from torch's documentation, without a look at the analysis: what this grammar can say is not derived from what
dllint models. ``{x}``, ``{y}`` stand for tensors with floating-point elements, ``{i}`` for integers, ``{b}`` for conditions,
``{c}``, ``{d}`` for numbers (``{d}`` above 0), ``{k}`` for small counts, ``{n}`` for the size of ``{x}``'s last axis.
"""

from __future__ import annotations

from typing import Final

FLOATS: Final = ("float64", "float32", "float16", "bfloat16")
INTEGERS: Final = ("int64", "int32", "int16", "int8", "uint8")
SHAPES: Final = ((6,), (2, 6), (3, 4), (4, 4), (2, 3, 4), (1, 2, 6, 6), (5,))
NUMBERS: Final = (
    "0", "1", "-1", "2", "0.5", "-0.5", "3", "0.1", "-0.25", "1e-3", "1e-7", "1e-10", "10", "-7.3", "100", "1e4", "-2",
)  # fmt: skip
POSITIVE: Final = ("1", "2", "0.5", "0.1", "1e-3", "1e-6", "3", "10", "100")

#: Statements that make inputs; ``{shape}`` and ``{dtype}`` are filled in.
SOURCES: Final = (
    "torch.rand{shape} * {d} + {c}", "torch.rand{shape} - {c}", "torch.rand({shape}, dtype=torch.{dtype}) * {d} - {c}",
    "torch.rand({shape}, dtype=torch.{dtype})", "(torch.rand{shape} * {d} + {c}).to(torch.{dtype})",
    "(torch.rand{shape} * {d} + {c}).clamp({c}, 4)", "torch.randn({shape}, dtype=torch.{dtype})",
    "torch.randn{shape}.clamp(-2, 2)", "torch.linspace({c}, 5, 6)", "torch.arange(0, 6).float()",
    "torch.full({shape}, {c}, dtype=torch.{dtype})", "torch.tensor([0.0, {c}, {d}, 1.5, -0.75, 2.0])",
    "torch.tensor([[0.0, {c}], [{d}, 1.5]], dtype=torch.{dtype})", "torch.ones({shape}, dtype=torch.{dtype})",
    "torch.zeros{shape}", "torch.eye(4)",
)  # fmt: skip
STATED_SOURCE: Final = "torch.randn({shape}, requires_grad=True).detach()"
#: What comments state of inputs; numbers that all element types of inputs have.
STATED: Final = ("[0, 1]", "[-1, 1]", "[0.5, 2]", "[0.0009765625, 10]", "[-3, -0.5]", "[0, 100]", "[-2, 0]", "[1, 4]")
INTEGER_SOURCES: Final = (
    "torch.randint(0, 5, {shape})", "torch.randint(-3, 9, {shape})", "torch.randint(0, 200, {shape}, dtype=torch.{whole})",
    "torch.randint(-100, 100, {shape}, dtype=torch.int8)", "torch.arange(6)", "torch.tensor([0, 3, -2, 7, 1, 4])",
)  # fmt: skip

UNARY: Final = (
    "torch.exp({x})", "torch.expm1({x})", "torch.log({x})", "torch.log1p({x})", "torch.log2({x})", "torch.log10({x})",
    "torch.sqrt({x})", "torch.rsqrt({x})", "torch.sin({x})", "torch.cos({x})", "torch.tan({x})", "torch.asin({x})",
    "torch.acos({x})", "torch.atan({x})", "torch.sinh({x})", "torch.cosh({x})", "torch.tanh({x})", "torch.asinh({x})",
    "torch.acosh({x})", "torch.atanh({x})", "torch.erf({x})", "torch.erfc({x})", "torch.erfinv({x})", "torch.sigmoid({x})",
    "torch.floor({x})", "torch.ceil({x})", "torch.round({x})", "torch.trunc({x})", "torch.sign({x})", "torch.frac({x})",
    "torch.abs({x})", "{x}.abs()", "-{x}", "{x}.square()", "{x} * {x}", "{x} ** 2", "{x} ** 3", "{x} ** 0.5", "{x} ** -1",
    "{x} ** 1.7", "{x}.pow({d})", "{c} ** {x}", "torch.reciprocal({x})", "torch.exp2({x})", "torch.nan_to_num({x})",
    "torch.relu({x})", "F.leaky_relu({x})", "F.leaky_relu({x}, {c})", "F.elu({x})", "F.elu({x}, {d})", "F.selu({x})",
    "F.celu({x})", "F.gelu({x})", "F.gelu({x}, approximate='tanh')", "F.silu({x})", "F.mish({x})", "F.softplus({x})",
    "F.softplus({x}, beta={d})", "F.softsign({x})", "F.logsigmoid({x})", "F.hardtanh({x})", "F.hardsigmoid({x})",
    "F.hardswish({x})", "F.relu6({x})", "F.threshold({x}, {c}, {d})", "F.tanhshrink({x})", "F.softshrink({x})",
    "F.hardshrink({x})", "torch.deg2rad({x})", "torch.sinc({x})", "torch.digamma({x})", "torch.lgamma({x})",
    "torch.round({x}, decimals=2)", "torch.logit({x}, eps=1e-3)", "torch.heaviside({x}, {x})", "torch.fmod({x}, {d})",
    "torch.clone({x})", "{x}.contiguous()", "torch.special.expit({x})", "torch.clamp({x}, min={c})", "{x}.clamp(max={c})",
    "{x}.clamp({c}, 3)", "torch.clamp_min({x}, {c})", "{x} % {d}", "torch.remainder({x}, {c})", "{x} // {d}",
    "torch.div({x}, {d}, rounding_mode='floor')", "torch.div({x}, {d}, rounding_mode='trunc')",
)  # fmt: skip
SCALAR: Final = (
    "{x} + {c}", "{x} - {c}", "{c} - {x}", "{c} + {x}", "{x} * {c}", "{x} / {d}", "{d} / {x}", "{c} + 1 - {x}", "1 - {x}",
    "({x} + {c}) - {x}", "{x} / ({x} + {d})", "{x} / ({x}.abs() + {d})", "{x} * ({x} > {c})",
    "torch.add({x}, {y}, alpha={c})", "torch.addcmul({x}, {x}, {y}, value={c})",
)  # fmt: skip
BINARY: Final = (
    "{x} + {y}", "{x} - {y}", "{x} * {y}", "{x} / {y}", "{x} / ({y} ** 2 + {d})", "torch.maximum({x}, {y})",
    "torch.minimum({x}, {y})", "({x} + {y}) + ({x} - {y})", "({x} + {y}) - {y}", "{x} * {y} - {y} * {x}",
    "torch.atan2({x}, {y})", "torch.hypot({x}, {y})", "torch.lerp({x}, {y}, 0.25)", "torch.where({x} > {c}, {x}, {y})",
    "torch.where({x} < {y}, {x}, {y})", "torch.where({x} > 0, torch.log({x}), {y})", "torch.where({x} != 0, {y} / {x}, {y})",
    "{x}.masked_fill({x} < {c}, {d})", "{x}.masked_fill({y} > {c}, -1e4)", "torch.pow({x}.abs(), {y})", "{x} - {x}.max()",
    "{x} / {x}.norm()", "{x} / {x}.abs().sum()", "({x} - {x}.mean()) / ({x}.std() + {d})", "torch.exp({x} - {x}.max())",
    "torch.exp({x} - {x}.max()).sum()", "{x} - {x}.min()", "torch.fmod({x}, {y})", "torch.remainder({x}, {y})",
    "torch.floor_divide({x}, {y})", "torch.xlogy({x}, {y})", "torch.logaddexp({x}, {y})", "torch.dist({x}, {y})",
    "torch.clamp({x}, max={y})", "torch.addcdiv({x}, {x}, {y})", "F.mse_loss({x}, {y})",
    "F.l1_loss({x}, {y}, reduction='sum')", "F.smooth_l1_loss({x}, {y}, beta={d})", "F.huber_loss({x}, {y}, delta={d})",
    "F.mse_loss({x}, {y}, reduction='none')", "F.binary_cross_entropy(torch.sigmoid({x}), torch.sigmoid({y}))",
    "F.binary_cross_entropy_with_logits({x}, torch.sigmoid({y}))", "F.kl_div(F.log_softmax({x}, -1), F.softmax({y}, -1))",
    "F.cosine_similarity({x}, {y}, dim=-1)", "F.soft_margin_loss({x}, {y}.sign())", "F.poisson_nll_loss({x}, {y}.abs())",
    "F.gaussian_nll_loss({x}, {y}, {x}.abs() + {d})", "F.hinge_embedding_loss({x}, {y}.sign())",
    "F.pairwise_distance({x}, {y})", "F.cross_entropy({x}, F.softmax({y}, -1))", "torch.copysign({x}, {y})",
    "F.margin_ranking_loss({x}, {y}, {x}.sign())", "F.triplet_margin_loss({x}, {y}, {x} + {y})",
)  # fmt: skip
REDUCTIONS: Final = (
    "{x}.sum()", "{x}.sum(dim=-1)", "{x}.sum(dim=0, keepdim=True)", "{x}.mean()", "{x}.mean(dim=-1, keepdim=True)",
    "{x}.prod()", "{x}.prod(dim=-1)", "{x}.max()", "{x}.min()", "{x}.amax(dim=-1)", "{x}.amin(dim=0)",
    "{x}.max(dim=-1).values", "{x}.min(dim=0)[0]", "{x}.std()", "{x}.var()", "{x}.var(dim=-1, unbiased=False)",
    "{x}.std(dim=0)", "{x}.norm()", "{x}.norm(p=1)", "{x}.norm(p=3)", "torch.linalg.norm({x})",
    "torch.linalg.vector_norm({x}, ord=2, dim=-1)", "{x}.norm(dim=-1, keepdim=True)", "torch.logsumexp({x}, -1)",
    "{x}.cumsum(0)", "{x}.cumsum(-1)", "{x}.cumprod(-1)", "{x}.median()", "{x}.argmax()", "{x}.argmin(dim=-1)",
    "torch.count_nonzero({x})", "{x}.sort(dim=-1).values", "{x}.topk(2).values", "{x}.topk(2)[0]",
    "torch.cummax({x}, -1).values", "torch.logcumsumexp({x}, -1)", "torch.aminmax({x}).max", "{x}.abs().sum()",
    "({x} > {c}).sum()", "({x} > {c}).float().mean()", "{x}.argsort()", "torch.nansum({x})", "torch.diff({x})",
    "torch.unique({x})", "torch.trace({x})", "torch.median({x}, dim=-1).values", "torch.mode({x}, dim=-1).values",
    "torch.kthvalue({x}, 2).values", "torch.quantile({x}, 0.3)",
)  # fmt: skip
MOVES: Final = (
    "{x}.reshape(-1)", "{x}.flatten()", "{x}.t()", "{x}.transpose(0, -1)", "{x}.unsqueeze(0)", "{x}.squeeze()", "{x}.flip(0)",
    "torch.roll({x}, 1)", "{x}[0]", "{x}[-1]", "{x}[1:]", "{x}[:2]", "{x}[..., :2]", "{x}[..., -1]", "{x}[:, 1:3]",
    "{x}[::2]", "{x}[{x} > {c}]", "{x}.repeat(2)", "{x}.repeat(2, 1)", "{x}.expand(3, -1, -1)", "torch.tile({x}, (2,))",
    "{x}.repeat_interleave(2)", "torch.tril({x})", "torch.triu({x})", "torch.diag({x})", "F.pad({x}, (1, 1))",
    "F.pad({x}, (1, 2), value={c})", "F.pad({x}, (1, 1), mode='reflect')", "{x}.split(2)[0]",
    "{x}.split([1, {n} - 1], dim=-1)[1]", "{x}.chunk(2, dim=-1)[0]", "{x}.unbind(0)[-1]", "{x}.unbind(-1)[0]",
    "{x}.narrow(-1, 1, 2)", "{x}.permute(*range({x}.dim() - 1, -1, -1))", "torch.diag_embed({x})", "{x}.diagonal()",
    "{x}.unfold(-1, 2, 1).clone()", "torch.rot90({x}, 1, (0, 1))", "torch.index_select({x}, 0, torch.tensor([0, 1]))",
    "{x}.gather(-1, torch.zeros_like({x}).long())", "{x}.take(torch.tensor([0, 2]))",
)  # fmt: skip
JOINS: Final = (
    "torch.cat([{x}, {y}])", "torch.cat([{x}, {y}], dim=-1)", "torch.stack([{x}, {y}])", "torch.stack([{x}, {y}], dim=-1)",
    "torch.cat([{x}, {y}])[1:3]", "torch.stack([{x}, {y}])[0]", "torch.stack([{x}, {y} * {c}], dim=-1)[..., 1]",
    "torch.cat([{x}, {y} + {c}], dim=-1).chunk(2, dim=-1)[1]",
    "torch.cat([{x}, {y}]).split([{x}.shape[0], {y}.shape[0]])[1] + {c}", "torch.cat([{x}, {y}, {x}]).exp()[:2]",
    "torch.vstack([{x}, {y}])", "torch.hstack([{x}, {y}])", "torch.matmul({x}, {y})", "{x} @ {y}", "{x} @ {y}.t()",
    "torch.outer({x}, {y})", "torch.dot({x}, {y})", "torch.einsum('ij,kj->ik', {x}, {y})", "torch.cdist({x}, {y})",
    "torch.kron({x}, {y})", "torch.meshgrid({x}, {y}, indexing='ij')[0]", "torch.block_diag({x}, {y})",
    "torch.addmm({x}, {x}, {y}, beta={c}, alpha={c})", "torch.bmm({x}.unsqueeze(0), {y}.unsqueeze(0))",
    "torch.cartesian_prod({x}, {y})", "torch.scatter({x}, -1, torch.zeros_like({x}).long(), {y})",
    "{x}.index_fill(0, torch.tensor([0]), {c})", "torch.scatter_add({x}, -1, torch.zeros_like({x}).long(), {y})",
    "{x}.index_add(0, torch.tensor([0, 0]), {y}[:2])", "{x}.masked_scatter({x} > 0, {y})",
)  # fmt: skip
LAYERS: Final = (
    "F.softmax({x}, dim=-1)", "F.softmax({x}, dim=0)", "torch.log_softmax({x}, dim=-1)", "F.softmin({x}, dim=-1)",
    "F.normalize({x}, dim=-1)", "F.normalize({x}, p=1, dim=0)", "F.dropout({x}, 0.5)", "F.dropout({x}, 0.25, training=False)",
    "F.layer_norm({x}, ({n},))", "nn.LayerNorm({n}, elementwise_affine=False)({x})",
    "nn.LayerNorm({n}, elementwise_affine=False, eps=1e-3)({x})", "nn.Softmax(dim=-1)({x})", "F.glu({x}, dim=-1)",
    "nn.ReLU()({x})", "nn.GELU()({x})", "nn.Tanh()({x})", "nn.LeakyReLU(0.2)({x})", "nn.Flatten()({x})", "nn.Softplus()({x})",
    "F.max_pool1d({x}, 2)", "F.avg_pool1d({x}, 2)", "F.avg_pool1d({x}, 3, padding=1)", "F.avg_pool2d({x}, 2)",
    "F.max_pool2d({x}, 2)", "F.max_pool2d({x}, 3, padding=1, stride=1)", "F.adaptive_avg_pool2d({x}, 2)",
    "F.adaptive_max_pool2d({x}, 3)", "nn.AdaptiveAvgPool1d(2)({x})", "F.lp_pool1d({x}, 2, 2)",
    "F.interpolate({x}, scale_factor=2)", "F.interpolate({x}, size=(9, 9), mode='bilinear')",
    "F.interpolate({x}, scale_factor=2, mode='bicubic')", "F.interpolate({x}, scale_factor=0.5, mode='area')",
    "F.instance_norm({x})", "F.group_norm({x}, 1)", "F.pixel_unshuffle({x}, 2)", "F.unfold({x}, 2)",
    "F.unfold({x}, 3, padding=1)", "F.linear({x}, torch.ones(3, {n}) * {c})",
    "F.linear({x}, torch.full((2, {n}), {c}), torch.tensor([{c}, {d}]))",
    "F.conv1d({x}, torch.ones(2, {x}.shape[-2], 2) * {c})",
    "F.conv2d({x}, torch.full((1, {x}.shape[1], 3, 3), {c}), padding=1)", "F.scaled_dot_product_attention({x}, {x}, {x})",
    "F.scaled_dot_product_attention({x}, {x}, {y})", "F.cross_entropy({x}, torch.zeros({x}.shape[0], dtype=torch.long))",
    "F.rms_norm({x}, ({n},))", "F.cross_entropy({x}, {x}.argmax(1), label_smoothing=0.1, reduction='none')",
    "F.nll_loss(F.log_softmax({x}, 1), {x}.argmax(1))", "F.multi_margin_loss({x}, {x}.argmax(1))",
    "F.embedding({x}.argmax(-1), torch.linspace(-2, {d}, 20).reshape(10, 2))", "F.one_hot({x}.argmax(-1), {n})",
    "F.local_response_norm({x}, 2)", "F.grid_sample({x}, torch.rand(1, 3, 3, 2) * 2 - 1, align_corners=False)",
    "F.gumbel_softmax({x})", "nn.Linear({n}, 2)({x})", "torch.bernoulli(torch.sigmoid({x}))",
    "torch.multinomial(torch.sigmoid({x}), 1)", "F.batch_norm({x}, torch.zeros({x}.shape[1]), torch.ones({x}.shape[1]))",
    "torch.histc({x}, 5)", "torch.searchsorted(torch.tensor([0.0, 1.0, 2.0]), {x})",
)  # fmt: skip
CASTS: Final = (
    "{x}.half()", "{x}.float()", "{x}.double()", "{x}.bfloat16()", "{x}.long()", "{x}.int()", "{x}.to(torch.{dtype})",
    "{x}.half().float()", "{x}.to(torch.int8)", "{x}.bool()", "({x} > {c}).to(torch.{dtype})", "{x}.round().long().float()",
    "{x}.type(torch.{dtype})", "{x}.clamp(0, 200).to(torch.uint8)", "{x}.bool().float()",
)  # fmt: skip
WHOLE: Final = (
    "{i} + {j}", "{i} - {j}", "{i} * {j}", "{i} + {k}", "{i} * {k}", "-{i}", "{i}.abs()", "{i} // {k}", "{i} % {k}",
    "{i} ** 2", "{i} / {k}", "{i}.float()", "{i}.to(torch.{whole})", "{i}.to(torch.{dtype})", "{i}.sum()", "{i}.prod()",
    "{i}.cumsum(0)", "{i}.max()", "{i} & {k}", "{i} | {k}", "{i} ^ {k}", "~{i}", "{i} << 2", "{i} >> 1",
    "torch.bitwise_and({i}, {j})", "{i} * 0.5", "torch.sqrt({i})", "{i}.clamp(0, {k})", "{i} == {k}",
    "({i} > {k}) & ({i} < 9)", "({i} > {k}) | ({j} < 2)", "{i}.float().mean()", "torch.where({i} > {k}, {i}, {j})",
    "F.one_hot({i}.abs() % 4, 4)", "torch.bincount({i}.abs())", "{i}.bool()", "torch.sign({i})", "torch.maximum({i}, {j})",
    "{i}.sort().values", "torch.exp({i} * 0.1)", "{i}.nonzero()", "1 - {i}", "{i}.argmax()", "torch.floor_divide({i}, {j})",
    "torch.remainder({i}, {j})",
)  # fmt: skip

#: Statements that change ``{x}`` in place, or give its name to a new tensor.
CHANGES: Final = (
    "{x} += {c}", "{x} -= {y}", "{x} *= {c}", "{x} /= {d}", "{x}[0] = {c}", "{x}[1:3] = {c}", "{x}[..., 0] = {y}[..., 0]",
    "{x}[:, 1:2] = {c}", "{x}[{x} > {c}] = {d}", "{x}[{x} < 0] = 0", "{x}.mul_({c})", "{x}.add_({y})", "{x}.clamp_(min={c})",
    "{x}.clamp_(-1, 1)", "{x}.relu_()", "{x}.zero_()", "{x}.fill_({c})", "{x}.sqrt_()", "{x}.exp_()", "{x}.copy_({y})",
    "{x}[0] += {c}", "{x}[1:] *= {c}", "{x}.masked_fill_({x} > {c}, {d})", "{x} = {x} + {c}", "{x} = {x} * {y}", "{x}.abs_()",
    "{x}.sub_({y}, alpha=2)", "{x}.div_({d})", "{x}[-1] = {y}[0]", "{x}.neg_()", "{x}.t_()", "{x}.clamp_(max={c})",
    "{x}.uniform_({c}, 9)", "{x}.normal_()", "{x}.view(-1)[0] = {c}", "{x}[0].mul_({c})",
)  # fmt: skip
#: Conditions of branches and loops.
TESTS: Final = (
    "{x}.sum() > {c}", "{x}.max() < {c}", "{x}.min() > {c}", "{x}.min() >= 0", "({x} > {c}).all()", "({x} < {c}).any()",
    "{x}.mean() > {y}.mean()", "{x}.max() <= {y}.max()", "{x}.abs().max() < {d}", "not ({x} > {c}).any()", "{x}.norm() != 0",
    "{x}.reshape(-1)[0] > {c}", "{x}.min() > 0 and {y}.max() < {d}", "({x} != 0).all()", "{x}.numel() > 5",
    "torch.all({x} > 0)",
)  # fmt: skip
#: Bodies of loops, which change ``{x}``.
STEPS: Final = (
    "{x} = {x} * 0.5 + {y}", "{x} = {x} + {c}", "{x} = torch.tanh({x})", "{x} = {x} - {x}.mean()", "{x} = {x} * 0.9",
    "{x} = torch.maximum({x}, {y})", "{x} = {x}.clamp(-3, 3) * 1.5", "{x} = {x} / 2",
    "{x} = torch.where({x} > {c}, {x} - 1, {x})", "{x} = {x}.abs().sqrt()", "{x} = -{x}", "{x} = ({x} + {y}) / 2",
    "{x} = F.softmax({x}, dim=-1)", "{x} = {x} + torch.relu({y})", "{x} *= 0.5", "{x}[0] = {x}[0] + {d}", "{x} = {y} - {x}",
    "{x} = {x} * {x}", "{x} = {x} + 1",
)  # fmt: skip
#: Headers of loops; ``while`` loops are given a last round by the generator.
LOOPS: Final = (
    "for step in range({k}):",
    "for step in range({k}):",
    "for step in iter([1] * {k}):",
    "while {x}.abs().sum() > {d}:",
    "while {x}.max() > {c}:",
    "while {x}.mean() < {y}.mean():",
    "while ({x} > {c}).any():",
    "while not ({x} > {c}).all():",
)
#: What is computed first of a trained tensor ``w``.
LIMITED: Final = ("torch.sigmoid(w)", "torch.tanh(w) * 2", "w.clamp(-1, 3)", "torch.sigmoid(w) * 4 - 1", "w")
#: The families of statements, with how often they are drawn.
FAMILIES: Final = (
    (UNARY, 6),
    (SCALAR, 4),
    (BINARY, 5),
    (REDUCTIONS, 3),
    (MOVES, 4),
    (JOINS, 3),
    (LAYERS, 4),
    (CASTS, 2),
    (WHOLE, 2),
)
