"""Templates of statements for programs of each library (:mod:`benchmarks.differential.chains`)."""

from __future__ import annotations

from typing import Final

VIEWS: Final = (
    "{new} = {a}.view(-1)", "{new} = {a}.view({same})", "{new} = {a}.reshape({same})", "{new} = {a}.reshape(-1)",
    "{new} = {a}.t()", "{new} = {a}.T", "{new} = {a}.mT", "{new} = {a}.transpose(0, {axis})", "{new} = {a}[0]",
    "{new} = {a}[-1]", "{new} = {a}[:1]", "{new} = {a}[1:]", "{new} = {a}[..., 0]", "{new} = {a}[:, :2]", "{new} = {a}[::2]",
    "{new} = {a}[None]", "{new} = {a}[..., None]", "{new} = {a}.unsqueeze({axis})", "{new} = {a}.squeeze()",
    "{new} = {a}.squeeze({axis})", "{new} = {a}.narrow({axis}, 0, 1)", "{new} = {a}.select({axis}, 0)",
    "{new} = {a}.expand(2, *{a}.shape)", "{new} = {a}.unfold({axis}, 1, 1)", "{new} = {a}.diagonal()", "{new} = {a}.detach()",
    "{new} = {a}.data", "{new} = {a}.flatten()", "{new} = {a}.flatten(0, {axis})", "{new} = {a}.movedim(0, {axis})",
    "{new} = {a}.swapaxes(0, {axis})", "{new} = {a}.view_as({e})", "{new} = {a}.contiguous()",
    "{new} = torch.narrow({a}, {axis}, 0, 2)", "{new} = {a}.permute(*range({a}.dim() - 1, -1, -1))", "{new} = {a}",
    "{new} = {a}.split(1, dim={axis})", "{new} = {a}.chunk(2, {axis})", "{new} = {a}.unbind({axis})",
    "{new} = torch.atleast_2d({a})", "{new} = {a}.narrow({axis}, 0, 1).view(-1)", "{new} = {a}.ravel()",
    "{new} = {x}.as_strided((2,), (1,))", "{new} = {a}.expand_as({e})", "{new} = {a}.broadcast_to({shape})",
    "{new} = {a}.unflatten({axis}, (1, -1))", "{new} = {a}.tensor_split(2)", "{new} = torch.swapdims({a}, 0, {axis})",
    "{new} = {a}.adjoint()", "{new} = {a}.positive()", "{new} = {a}.view({a}.dtype)", "{new} = {x}.real",
)  # fmt: skip

IN_PLACE: Final = (
    "{x}.add_({c})", "{x}.sub_({y})", "{x}.mul_({y})", "{x}.div_({d})", "{x}.pow_(2)", "{a}.zero_()", "{a}.fill_({c})",
    "{x}.copy_({y})", "{a}.copy_({e})", "{x}.clamp_(-1, 1)", "{x}.clamp_(min={c})", "{x}.relu_()", "{x}.exp_()", "{x}.log_()",
    "{x}.sqrt_()", "{x}.sigmoid_()", "{x}.abs_()", "{x}.neg_()", "{i}.add_({c})", "{i}.mul_({c})", "{i} += {k}", "{i} += {c}",
    "{i} //= {k}", "{i} /= {k}", "{i} *= {c}", "{x} += {y}", "{x} -= {c}", "{x} *= {y}", "{x} /= {d}", "{x} **= 2",
    "{i}.clamp_({c}, 5)", "{i}.fill_({c})", "{i}.copy_({x})", "{b}.fill_({c})", "{b} |= {x} > {c}",
    "{x}.masked_fill_({x} > {c}, {d})", "{x}.index_fill_({axis}, torch.tensor([0]), {c})",
    "{x}.scatter_(0, torch.zeros_like({x}).long(), {c})", "{x}.index_add_({axis}, torch.arange({x}.shape[{axis}]), {y})",
    "{x}.uniform_(-1, {d})", "{x}.normal_()", "{i}.random_(0, 5)", "{x}.bernoulli_(0.5)", "torch.relu_({x})",
    "torch.nn.functional.relu({x}, inplace=True)", "torch.nn.init.constant_({x}, {c})", "torch.nn.init.ones_({x})",
    "{x}.lerp_({y}, 0.5)", "{x}.addcmul_({x}, {y}, value={c})", "{x}.tril_()", "{x}.fill_diagonal_({c})", "{x}.round_()",
    "{x}.floor_()", "{x}.fmod_({d})", "{x}.nan_to_num_()", "{i}.abs_()", "{i}.bitwise_and_({k})", "{i} <<= 1",
    "{i}.sigmoid_()", "{i}.sqrt_()", "{x}.add_({i})", "{i}.add_({x})", "{x}.masked_fill_({b}, {c})", "{x}.eq_({y})",
    "{x}.gt_({c})", "{x}.logical_not_()", "{x}.index_copy_(0, torch.tensor([0]), {y}[:1])", "{x}.clamp_(max={y})",
    "{x}.mul_({x}[0])", "{x}[0].mul_({c})", "{x}.view(-1).add_({c})", "{x}.t_().add_({c})", "{x}.detach().zero_()",
    "{x}.data.fill_({c})", "{x}.data[0] = {c}", "{x}.T.mul_({c})", "{x}.reshape(-1).fill_({c})", "{x}.unsqueeze(0).add_({y})",
    "{x}.squeeze_().add_(1)", "torch.nn.functional.dropout({x}, 0.5, inplace=True)", "torch.nn.ReLU(inplace=True)({x})",
    "{x}.cumsum_({axis})", "torch.exp_({x})", "{x}.sin_()", "{x}.square_()", "{x}.remainder_({d})",
    "{x}.bfloat16().add_({c})", "{x}.put_(torch.tensor([0]), {x}[:1])",
)  # fmt: skip

RESHAPED: Final = (
    "{a}.t_()", "{a}.squeeze_()", "{a}.unsqueeze_({axis})", "{a}.transpose_(0, {axis})", "{a}.resize_({shape})",
    "{a}.resize_(2, 2)", "{x}.set_({y})", "{x}.data = {y}", "{x}.data = {x}[:1]", "{a}.squeeze_({axis})",
    "{a}.resize_as_({e})", "{a}.swapaxes_(0, {axis})", "{x}.data = {x}.view(-1)", "{a}.resize_({same})",
    "{x}.data = {y} * {c}",
)  # fmt: skip

OUT: Final = (
    "torch.add({x}, {y}, out={x})", "torch.mul({x}, {c}, out={y})", "{new} = torch.add({a}, {e}, out={x})",
    "torch.exp({x}, out={y})", "torch.matmul({x}, {y}, out={x})", "{new} = torch.empty(0)\ntorch.add({x}, {y}, out={new})",
    "torch.sum({x}, {axis}, out={y})", "{new} = torch.zeros({shape})\ntorch.cat([{x}, {y}], out={new})",
    "torch.mul({i}, {c}, out={i})", "torch.abs({a}, out={e})",
    "{new} = torch.empty({shape})\ntorch.stack([{x}, {y}], out={new})", "torch.clamp({x}, 0, 1, out={y})",
    "{new} = torch.empty(0, dtype=torch.{dtype})\ntorch.sqrt({x}, out={new})", "torch.zeros({shape}, out={x})",
    "torch.sort({x}, out=({x}, {i}))", "{new} = torch.max({x}, {axis}, out=({y}, {i}))", "torch.mean({x}, 0, out={y})",
    "torch.arange({k}, out={i})", "torch.where({x} > {c}, {x}, {y}, out={x})", "torch.gt({x}, {y}, out={b})",
    "torch.div({i}, {k}, out={i})", "torch.gt({x}, {y}, out={x})", "torch.transpose({x}, 0, {axis}, out={y})",
    "torch.bmm({x}, {y}, out={x})", "torch.sub({x}, {y}, out={x}[0])", "torch.ones({shape}, out={i})",
    "torch.linspace(0, {d}, 4, out={x})", "torch.mul({x}, {y}, out={x}.T)", "torch.cumsum({x}, {axis}, out={y})",
    "torch.floor({x}, out={i})", "torch.full({shape}, {c}, out={x})",
)  # fmt: skip

ELEMENTS: Final = (
    "{x}[0] = {c}", "{x}[1:] = {c}", "{x}[..., 0] = {c}", "{x}[{x} > {c}] = {d}", "{x}[...] = {y}", "{x}[:] = {c}",
    "{x}[0] = {y}", "{x}[0] = {y}[0]", "{x}[:, 0] += {c}", "{i}[0] = {c}", "{i}[...] = {x}", "{i}[{i} > {k}] = {c}",
    "{b}[0] = {c}", "{x}[0, 0] = {c}", "{x}[-1] *= {c}", "{x}[torch.tensor([0])] = {c}", "{x}[::2] = {c}", "{x}[{b}] = {c}",
    "{x}[{i}] = {c}", "{x}[:, None] = {c}", "{x}[0][0] = {c}", "{x}.view(-1)[0] = {c}", "{x}.T[0] = {c}", "{a}[0] = {e}[-1]",
    "{i}[1:] = {c}", "{x}[:1], {y}[:1] = {c}, {d}", "{x}[0].data[...] = {c}", "{x}[None, 0] = {c}", "{i}[0] /= {k}",
    "{x}[0] += {i}[0]", "{i}[0] += {c}", "{x}[:1] = [[{c}]]",
)  # fmt: skip

ALIASES: Final = (
    "{new} = {a}.numpy()", "{n}[...] = {c}", "{n}[0] = {c}", "{n} += {c}", "{n} *= {k}", "{new} = torch.from_numpy({n})",
    "{new} = torch.as_tensor({n})", "{new} = torch.tensor({n})", "{new} = np.asarray({a})", "{new} = {n}.T",
    "{new} = {n}.reshape(-1)", "{new} = {n}[0]", "{n}.fill({c})", "{new} = {n}.copy()", "{new} = {n}.astype(np.float32)",
    "np.add({n}, {c}, out={n})", "{n}.shape = (-1,)", "{n}.sort()", "{n}.resize(({n}.size,))", "{new} = [{x}, {y}]",
    "{new} = ({a}, {e})", "{l}[0].add_(1)", "{new} = {l}[-1]", "{l}[0].mul_({c})", "{new} = {l}[0] + {l}[-1]",
    "{l}[0][...] = {c}", "{new} = torch.asarray({n})", "np.copyto({n}, {c})", "{new} = {n}.view()",
    "{new} = torch.tensor({x}.tolist())", "{new} = {n}.astype(np.float64, copy=False)", "{new} = {a}.detach().numpy()",
    "{new} = {a}.clone().numpy()", "{new} = np.array({a})", "{new} = {a}.__array__()", "{new} = np.multiply({n}, {c})",
    "{new} = {n} + {x}", "{new} = {a} + {n}", "{new} = torch.mul({x}, {n})", "{new} = {n}.ravel()", "{n}[{n} > {c}] = {d}",
    "{new} = {n}.flatten()", "np.clip({n}, 0, 1, out={n})",
)  # fmt: skip

NUMBERS: Final = (
    "{new} = {a}.shape", "{new} = {a}.size({axis})", "{new} = {a}.dim()", "{new} = {a}.numel()", "{new} = {a}.stride()",
    "{new} = {a}.is_contiguous()", "{new} = {a}.tolist()", "{new} = {a}.item()", "{new} = float({a})", "{new} = len({a})",
    "{new} = {a}.dtype", "{new} = {a}.shape[0]", "{new} = int({a}.max())", "{new} = {a}.sum().item()",
    "{new} = {a}.shape[-1] * 2", "{new} = {a}.element_size()", "{new} = {a}.is_floating_point()", "{new} = {a}.ndim",
    "{new} = {a}.nelement()", "{new} = bool({a}.any())", "{new} = {a}.requires_grad", "{new} = {x}.max() > {c}",
    "{new} = torch.numel({a})", "{new} = {a}.size()", "{new} = list({a}.shape)", "{new} = torch.Size([{k}, 2])",
    "{new} = {a}.storage_offset()", "{new} = [*{a}]", "{new} = {a}.shape == {e}.shape", "{new} = {a}.shape[1:]",
    "{new} = {a}.shape[:-1] + (1,)", "{new} = {a}.is_complex()", "{new} = tuple({a}.shape)[::-1]",
    "{new} = torch.is_tensor({a})", "{new} = isinstance({a}, torch.Tensor)", "{new} = max({a}.shape, default=0)",
)  # fmt: skip

MIXED: Final = (
    "{new} = {x} + {i}", "{new} = {i} / {j}", "{new} = {i} * {c}", "{new} = {b} + {b}", "{new} = {i} // {k}",
    "{new} = {x} // {d}", "{new} = {i} ** {k}", "{new} = {x} ** {i}", "{new} = {b} * {x}", "{new} = {a} + {e}",
    "{new} = {a} * {e}", "{new} = {a} - {c}", "{new} = {c} / {a}", "{new} = {a} == {e}", "{new} = {i} & {k}", "{new} = ~{a}",
    "{new} = -{a}", "{new} = {b} & ({x} > {c})", "{new} = {x} @ {y}", "{new} = {x} @ {y}.T", "{new} = {i} @ {j}",
    "{new} = {x} % {d}", "{new} = {i} % {k}", "{new} = {a}.to(torch.{dtype})", "{new} = {a}.float()", "{new} = {a}.long()",
    "{new} = {a}.type(torch.{dtype})", "{new} = {a}.bool()", "{new} = {a}.sum()", "{new} = {a}.sum({axis})",
    "{new} = {a}.mean()", "{new} = {a}.prod()", "{new} = {a}.cumsum({axis})", "{new} = {a}.max()", "{new} = {a}.max({axis})",
    "{new} = {a}.std()", "{new} = {a}.abs()", "{new} = torch.where({b}, {x}, {c})", "{new} = {a}.new_zeros({shape})",
    "{new} = {a}.new_tensor([{c}, {d}])", "{new} = {a}.new_full({shape}, {c})", "{new} = torch.full_like({a}, {c})",
    "{new} = torch.zeros_like({a})", "{new} = torch.ones_like({a}, dtype=torch.{dtype})",
    "{new} = torch.full({shape}, {c}, dtype=torch.{dtype})", "{new} = torch.tensor([{c}, {d}])",
    "{new} = torch.tensor([{c}, {d}], dtype=torch.{dtype})", "{new} = torch.arange({c}, {k})",
    "{new} = torch.arange({k}, dtype=torch.{dtype})", "{new} = torch.cat([{x}, {y}], {axis})",
    "{new} = torch.stack([{a}, {e}])", "{new} = torch.cat([{a}, {e}])", "{new} = {x}.clone()", "{new} = {a}.type_as({e})",
    "{new} = {a}.to({e})", "{new} = {a}.double()", "{new} = torch.lerp({x}, {y}, 0.3)", "{new} = torch.pow({c}, {a})",
    "{new} = {a}.argmax({axis})", "{new} = torch.sigmoid({a})", "{new} = torch.softmax({a}, {axis})",
    "{new} = {a}.softmax(-1)", "{new} = {x}.where({b}, {y})", "{new} = {a} > {c}", "{new} = {a} | {e}",
    "{new} = {x}.add({y}, alpha={k})", "{new} = {a}.div({k}, rounding_mode='floor')", "{new} = torch.result_type({a}, {e})",
    "{new} = {a}[{b}]", "{new} = {a}[{i}]", "{new} = {a}.norm()", "{new} = {a}.repeat(2, *{a}.shape)", "{new} = {a}.flip(0)",
    "{new} = {a}.var({axis})", "{new} = {a}.sort({axis})", "{new} = {a}.gather({axis}, {i})",
    "{new} = {a}.index_select({axis}, {i})", "{new} = {a}.all()", "{new} = {a}.any({axis})",
    "{new} = {a}.amax({axis}, keepdim=True)", "{new} = {a}.median()", "{new} = {a}.clamp({c})",
)  # fmt: skip

TORCH: Final = {VIEWS: 6, IN_PLACE: 6, RESHAPED: 1, OUT: 2, ELEMENTS: 4, ALIASES: 3, NUMBERS: 2, MIXED: 7}

NUMPY_MAKING: Final = (
    "{new} = np.zeros({shape})", "{new} = np.ones({shape}, dtype=np.{dtype})", "{new} = np.full({shape}, {c})",
    "{new} = np.arange({k})", "{new} = np.arange({c}, {k})", "{new} = np.linspace(0, {d}, {k})",
    "{new} = np.array([{c}, {d}])", "{new} = np.eye({k})", "{new} = np.array([[{c}, {d}], [1, 2]])",
    "{new} = np.random.rand(2, {k})", "{new} = np.random.randint(0, {k} + 1, {shape})", "{new} = np.zeros_like({a})",
    "{new} = np.full_like({a}, {c})", "{new} = np.array([{c}, {d}], dtype=np.{dtype})", "{new} = np.empty({shape})",
    "{new} = np.random.normal(size={shape})", "{new} = np.ones_like({a}, dtype=np.{dtype})",
    "{new} = np.random.randn({k}, 2)",
)  # fmt: skip

NUMPY_PURE: Final = (
    "{new} = {x} + {y}", "{new} = {x} * {c}", "{new} = {a} / {k}", "{new} = {a} // {k}", "{new} = {a} ** 2",
    "{new} = {a} - {e}", "{new} = {a} @ {e}", "{new} = {x} @ {y}.T", "{new} = {a} == {e}", "{new} = {a} > {c}",
    "{new} = ~{a}", "{new} = -{a}", "{new} = {a}.sum()", "{new} = {a}.sum(axis={axis})",
    "{new} = {a}.mean(axis={axis}, keepdims=True)", "{new} = {a}.max({axis})", "{new} = {a}.argmax({axis})",
    "{new} = {a}.std()", "{new} = {a}.cumsum({axis})", "{new} = {a}.prod()", "{new} = np.exp({a})",
    "{new} = np.sqrt(np.abs({a}))", "{new} = np.log1p(np.abs({a}))", "{new} = np.maximum({a}, {c})",
    "{new} = np.where({a} > {c}, {a}, {d})", "{new} = np.clip({a}, 0, {d})",
    "{new} = np.concatenate([{a}, {e}], axis={axis})", "{new} = np.stack([{a}, {e}])", "{new} = np.dot({a}, {e})",
    "{new} = np.transpose({a})", "{new} = np.expand_dims({a}, {axis})", "{new} = np.squeeze({a})",
    "{new} = np.sort({a}, axis={axis})", "{new} = np.argsort({a})", "{new} = np.unique({i})",
    "{new} = np.median({a}, axis={axis})", "{new} = np.any({b})", "{new} = np.round({a})", "{new} = np.sign({a})",
    "{new} = np.linalg.norm({x})", "{new} = np.mean({a})", "{new} = np.tile({a}, 2)",
    "{new} = np.repeat({a}, 2, axis={axis})", "{new} = np.flip({a})", "{new} = np.pad({a}, 1)", "{new} = np.split({a}, 2)",
    "{new} = np.array_split({a}, 2, axis={axis})", "{new} = np.vstack([{a}, {e}])", "{new} = np.outer({a}, {e})",
    "{new} = {a}.astype(np.{dtype})", "{new} = {a}.astype('{dtype}')", "{new} = {a}.astype(float)", "{new} = {a}.astype(int)",
    "{new} = np.diff({a})", "{new} = np.var({a}, axis={axis})", "{new} = np.argwhere({a} > {c})",
    "{new} = np.bincount({i}.ravel())", "{new} = {i} % {k}", "{new} = {i} << 1", "{new} = {b} & {b}", "{new} = {i} + {x}",
    "{new} = {b} * {x}", "{new} = {b}.sum()", "{new} = np.einsum('...i,...i->...', {x}, {y})",
    "{new} = np.float32({c}) * {a}", "{new} = {a} + np.float64({c})", "{new} = {c} ** {a}",
)  # fmt: skip

NUMPY_VIEWS: Final = (
    "{new} = {a}.T", "{new} = {a}.reshape(-1)", "{new} = {a}.reshape({same})", "{new} = {a}[0]", "{new} = {a}[-1]",
    "{new} = {a}[1:]", "{new} = {a}[::2]", "{new} = {a}[..., 0]", "{new} = {a}[:, :1]", "{new} = {a}[None]",
    "{new} = {a}[:, np.newaxis]", "{new} = {a}.ravel()", "{new} = {a}.flatten()", "{new} = {a}.swapaxes(0, {axis})",
    "{new} = {a}.transpose()", "{new} = {a}.view()", "{new} = {a}.copy()", "{new} = {a}",
    "{new} = np.broadcast_to({a}, (2, *{a}.shape))", "{new} = {a}.diagonal()", "{new} = np.moveaxis({a}, 0, {axis})",
    "{new} = {a}[{b}]", "{new} = {a}[{i}]", "{new} = {a}[{a} > {c}]", "{new} = {a}.squeeze()", "{new} = np.asarray({a})",
    "{new} = np.ravel({a})", "{new} = np.rollaxis({a}, {axis})", "{new} = np.atleast_2d({a})", "{new} = {a}.flat[0]",
    "{new} = np.array({a}, copy=False)",
)  # fmt: skip

NUMPY_CHANGES: Final = (
    "{a}[0] = {c}", "{a}[...] = {c}", "{a}[:] = {e}", "{a}[1:] = {c}", "{a}[{a} > {c}] = {d}", "{a}[..., 0] += {c}",
    "{a} += {c}", "{a} += {e}", "{a} *= {c}", "{x} /= {d}", "{i} //= {k}", "{i} /= {k}", "{i} += {x}", "{x} -= {y}",
    "{a} **= 2", "{a}.fill({c})", "{a}.sort()", "{a}.sort(axis={axis})", "np.add({a}, {c}, out={a})",
    "np.multiply({x}, {y}, out={x})", "np.exp({x}, out={x})", "np.clip({a}, 0, 1, out={a})", "{a}.shape = {same}",
    "{a}.resize({same})", "np.copyto({a}, {c})", "np.put({a}, 0, {c})", "np.random.shuffle({a})", "{a}.T[0] = {c}",
    "{a}.reshape(-1)[0] = {c}", "{a}[0][...] = {c}", "np.fill_diagonal({a}, {c})",
    "{new} = np.sum({a}, axis={axis}, out=None)", "np.maximum({a}, {c}, out={a})", "{a}[0], {a}[-1] = {c}, {d}",
    "{a} = {a} + {c}", "{b} |= True", "{a}[::2] = {c}", "{a}.put(0, {c})", "np.subtract({x}, {y}, {x})", "{a}[{i}] = {c}",
    "{a}.itemset(0, {c})", "{a}[:, 0] = {c}", "{a}.dtype = np.{dtype}",
)  # fmt: skip

NUMPY_NUMBERS: Final = (
    "{new} = {a}.shape", "{new} = {a}.ndim", "{new} = {a}.size", "{new} = len({a})", "{new} = {a}.dtype",
    "{new} = {a}.tolist()", "{new} = float({a}.sum())", "{new} = {a}.item()", "{new} = {a}.shape[0]",
    "{new} = np.prod({a}.shape)", "{new} = {a}.max().item()", "{new} = [*{a}]", "{new} = {a}.dtype == np.float64",
    "{new} = np.shape({a})", "{new} = np.size({a}, {axis})", "{new} = {a}.nbytes", "{new} = int({a}.max())",
    "{new} = {a}.itemsize", "{new} = np.ndim({a})", "{new} = {a}.shape[::-1]", "{new} = bool({a}.any())",
)  # fmt: skip

NUMPY: Final = {NUMPY_MAKING: 4, NUMPY_PURE: 8, NUMPY_VIEWS: 5, NUMPY_CHANGES: 5, NUMPY_NUMBERS: 1}

TENSORFLOW_PURE: Final = (
    "{new} = {x} + {y}", "{new} = {x} * {c}", "{new} = {x} / {d}", "{new} = {x} - {y}", "{new} = {a} + {e}",
    "{new} = {i} // {k}", "{new} = {i} / {k}", "{new} = {x} ** 2", "{new} = {x} @ {y}",
    "{new} = tf.matmul({x}, {y}, transpose_b=True)", "{new} = {a} == {e}", "{new} = {x} > {c}", "{new} = -{a}",
    "{new} = tf.reduce_sum({a})", "{new} = tf.reduce_sum({a}, axis={axis})",
    "{new} = tf.reduce_mean({a}, {axis}, keepdims=True)", "{new} = tf.reduce_max({a}, {axis})",
    "{new} = tf.argmax({a}, {axis})", "{new} = tf.exp({x})", "{new} = tf.nn.relu({x})", "{new} = tf.nn.softmax({x})",
    "{new} = tf.sqrt(tf.abs({x}))", "{new} = tf.cast({a}, tf.{dtype})", "{new} = tf.reshape({a}, [-1])",
    "{new} = tf.reshape({a}, {same})", "{new} = tf.transpose({a})", "{new} = tf.expand_dims({a}, {axis})",
    "{new} = tf.squeeze({a})", "{new} = tf.concat([{a}, {e}], {axis})", "{new} = tf.stack([{a}, {e}])",
    "{new} = tf.unstack({a})", "{new} = tf.split({a}, 2)", "{new} = {a}[0]", "{new} = {a}[..., 0]", "{new} = {a}[1:]",
    "{new} = {a}[:, tf.newaxis]", "{new} = {a}[::2]", "{new} = tf.where({b}, {x}, {y})",
    "{new} = tf.where({x} > {c}, {x}, {d})", "{new} = tf.clip_by_value({x}, 0, 1)", "{new} = tf.maximum({x}, {c})",
    "{new} = tf.tile({a}, [2] * {a}.shape.rank)", "{new} = tf.gather({a}, [0])", "{new} = tf.boolean_mask({a}, {b})",
    "{new} = tf.ones_like({a})", "{new} = tf.zeros({shape})", "{new} = tf.ones({shape}, dtype=tf.{dtype})",
    "{new} = tf.fill({shape}, {c})", "{new} = tf.constant([{c}, {d}])", "{new} = tf.range({k})", "{new} = tf.one_hot({i}, 3)",
    "{new} = tf.pad({x}, [[1, 1]] * {x}.shape.rank)", "{new} = tf.cumsum({a}, {axis})", "{new} = tf.sort({a})",
    "{new} = tf.argsort({a})", "{new} = tf.norm({x})", "{new} = tf.math.log1p(tf.abs({x}))",
    "{new} = tf.convert_to_tensor({a})", "{new} = tf.identity({a})", "{new} = tf.reverse({a}, [0])",
    "{new} = tf.reduce_any({b})", "{new} = tf.math.top_k({x}, 1)", "{new} = tf.linspace(0.0, {d}, {k})",
    "{new} = tf.random.uniform({shape})", "{new} = tf.einsum('...i,...i->...', {x}, {y})",
    "{new} = tf.broadcast_to({a}, [2, *{a}.shape])", "{new} = tf.tensordot({x}, {y}, 1)", "{new} = tf.logical_not({b})",
    "{new} = {b} & {b}", "{new} = {a}.numpy()", "{new} = tf.math.reduce_std({x}, {axis})",
    "{new} = tf.nn.l2_normalize({x}, {axis})", "{new} = {c} * {a}", "{new} = {i} * {x}", "{new} = tf.size({a})",
    "{new} = tf.shape({a})", "{new} = tf.rank({a})", "{new} = tf.reduce_prod({a})", "{new} = tf.strings.length(['a', 'bc'])",
)  # fmt: skip

TENSORFLOW_STATE: Final = (
    "{new} = tf.Variable({x})", "{new} = tf.Variable([{c}, {d}])", "{new} = tf.Variable({a}, dtype=tf.{dtype})",
    "{v}.assign({x})", "{v}.assign_add({x})", "{v}.assign_sub({v} * 0.5)", "{v}.assign({v} + 1)", "{v}[0].assign({v}[1])",
    "{new} = {v} + {c}", "{new} = {v} * {x}", "{new} = {v}.read_value()", "{n}[...] = {c}", "{n} += {c}", "{new} = {n} + {a}",
    "{new} = tf.constant({n})", "{new} = {n}.reshape(-1)", "{new} = tf.convert_to_tensor({n})", "{x} += {c}", "{x} *= {y}",
    "{x} -= {d}", "{i} += {k}", "{x} /= {d}", "{x}[0] = {c}", "{v}.assign_add(tf.ones_like({v}))",
)  # fmt: skip

TENSORFLOW_NUMBERS: Final = (
    "{new} = {a}.shape", "{new} = {a}.shape[0]", "{new} = {a}.dtype", "{new} = len({a})", "{new} = {a}.shape.rank",
    "{new} = {a}.ndim", "{new} = float(tf.reduce_sum({x}))", "{new} = {a}.shape.as_list()", "{new} = {a}.get_shape()",
    "{new} = {a}.numpy().tolist()", "{new} = int(tf.size({a}))", "{new} = tuple({a}.shape)", "{new} = {a}.shape[-1] * 2",
    "{new} = {a}.dtype == tf.float32", "{new} = [*{a}]",
)  # fmt: skip

TENSORFLOW: Final = {TENSORFLOW_PURE: 8, TENSORFLOW_STATE: 2, TENSORFLOW_NUMBERS: 1}

KERAS_PURE: Final = (
    "{new} = {x} + {y}", "{new} = {x} * {c}", "{new} = {x} / {d}", "{new} = {a} - {e}", "{new} = {i} / {k}",
    "{new} = {i} // {k}", "{new} = {x} @ {y}", "{new} = {a} > {c}", "{new} = -{a}", "{new} = {c} - {a}",
    "{new} = keras.ops.add({a}, {e})", "{new} = keras.ops.multiply({a}, {c})", "{new} = keras.ops.sum({a})",
    "{new} = keras.ops.sum({a}, axis={axis})", "{new} = keras.ops.mean({a}, axis={axis}, keepdims=True)",
    "{new} = keras.ops.max({a}, {axis})", "{new} = keras.ops.argmax({a}, {axis})", "{new} = keras.ops.exp({a})",
    "{new} = keras.ops.relu({x})", "{new} = keras.ops.softmax({x})", "{new} = keras.ops.cast({a}, '{dtype}')",
    "{new} = keras.ops.reshape({a}, (-1,))", "{new} = keras.ops.reshape({a}, {same})", "{new} = keras.ops.transpose({a})",
    "{new} = keras.ops.expand_dims({a}, {axis})", "{new} = keras.ops.squeeze({a})",
    "{new} = keras.ops.concatenate([{a}, {e}], axis={axis})", "{new} = keras.ops.stack([{a}, {e}])",
    "{new} = keras.ops.split({a}, 2)", "{new} = {a}[0]", "{new} = {a}[..., 0]", "{new} = {a}[1:]",
    "{new} = keras.ops.where({a} > {c}, {a}, {d})", "{new} = keras.ops.clip({x}, 0, 1)",
    "{new} = keras.ops.maximum({a}, {c})", "{new} = keras.ops.matmul({x}, {y})", "{new} = keras.ops.ones({shape})",
    "{new} = keras.ops.zeros({shape}, dtype='{dtype}')", "{new} = keras.ops.full({shape}, {c})",
    "{new} = keras.ops.arange({k})", "{new} = keras.ops.one_hot({i}, 3)", "{new} = keras.ops.cumsum({a}, {axis})",
    "{new} = keras.ops.sort({a})", "{new} = keras.ops.convert_to_tensor([{c}, {d}])",
    "{new} = keras.ops.convert_to_numpy({a})", "{new} = keras.ops.take({a}, {i})", "{new} = keras.ops.tile({a}, 2)",
    "{new} = keras.ops.pad({x}, 1)", "{new} = keras.ops.ones_like({a})", "{new} = keras.layers.Dense({k})({x})",
    "{new} = keras.layers.Flatten()({x})", "{new} = keras.layers.ReLU()({x})",
    "{new} = keras.layers.Concatenate()([{x}, {y}])", "{new} = keras.layers.Add()([{x}, {y}])",
    "{new} = keras.layers.Dropout(0.5)({x})", "{new} = keras.layers.LayerNormalization()({x})",
    "{new} = keras.layers.BatchNormalization()({x})", "{new} = keras.layers.Embedding(10, {k})({i})",
    "{new} = keras.layers.Reshape({same})({x})", "{new} = keras.layers.LSTM({k})({x})", "{new} = keras.activations.relu({x})",
    "{new} = keras.losses.mean_squared_error({x}, {y})", "{new} = keras.random.uniform({shape})",
    "{new} = keras.ops.einsum('...i,...i->...', {x}, {y})", "{new} = keras.ops.logical_not({b})",
    "{new} = keras.ops.var({a}, axis={axis})", "{new} = {i} * {x}", "{new} = keras.ops.norm({x})",
    "{new} = keras.ops.shape({a})", "{new} = keras.ops.size({a})", "{new} = keras.ops.linspace(0, {d}, {k})",
    "{x} = {x} + {c}",
)  # fmt: skip

KERAS_NUMBERS: Final = (
    "{new} = {a}.shape", "{new} = {a}.shape[0]", "{new} = {a}.dtype", "{new} = len({a})", "{new} = {a}.ndim",
    "{new} = {a}.shape[-1] * 2", "{new} = keras.backend.standardize_dtype({a}.dtype)", "{new} = len({a}.shape)",
    "{new} = tuple({a}.shape)",
)  # fmt: skip

KERAS: Final = {KERAS_PURE: 8, KERAS_NUMBERS: 1}
