"""Arguments beyond the canonical parameters of an operation: which of them change the type of a result, which its numbers.

A library's function has parameters that its operation does not read. Most change nothing that is followed here, some only the
numbers of a result, and what is left may change its shape or element type: of such a call the result is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from dllint.ir.values import Value
from dllint.ops.spec import OPS

#: Parameters that change nothing that is followed: where and how a result is stored, how it is computed, what is checked.
_NEUTRAL: Final = """
    name out generator  seed inplace device pin_memory requires_grad layout order subok like casting validate_indices
    non_blocking stable kind _stacklevel copy sparse_grad scale_grad_by_freq cudnn_enabled cudnn_enable use_cudnn_on_gpu
    conjugate optimize momentum compute_mode check_valid bad_indices_policy partition_strategy memory_format sparse ragged
    alg variables overwrite_input flash_attention output_size_hint a_is_sparse b_is_sparse cudnn trainable
    activity_regularizer dtype_policy kernel_initializer bias_initializer kernel_regularizer bias_regularizer
    kernel_constraint bias_constraint depthwise_initializer pointwise_initializer depthwise_regularizer
    pointwise_regularizer depthwise_constraint pointwise_constraint beta_initializer gamma_initializer beta_regularizer
    gamma_regularizer beta_constraint gamma_constraint moving_mean_initializer moving_variance_initializer
    embeddings_initializer embeddings_regularizer embeddings_constraint recurrent_initializer recurrent_regularizer
    recurrent_constraint unit_forget_bias use_cudnn unroll stateful zero_output_for_mask implementation autocast lora_rank
    lora_alpha quantization_config sharding retain_grad val
"""
NEUTRAL: Final = frozenset(_NEUTRAL.split())
#: Parameters that change the numbers of a result, and neither its shape nor its element type.
_VALUES: Final = """
    bias eps alpha where initial threshold mean stddev std variance rounding_mode ddof p margin axis epsilon correction
    unbiased training lambd value count_include_pad running_var running_mean scale beta decimals nan posinf neginf low high
    include_self padding_idx negative_slope aminusb rtol atol equal_nan min max right lower upper min_val max_val
    ignore_index full divisor_override max_norm norm_type approximate default_value b minval maxval noise_shape max_value
    interpolation exclusive reverse tau hard label_smoothing delta log_target log_input blank zero_infinity swap
    per_sample_weights antialias half_pixel_centers align_corners dropout_p is_causal train median sigma direction
    fill_value constant_values on_value off_value ord sorted keep_prob base largest weight weights mode use_input_stats
    gamma offset attn_logits_soft_cap mask lambda_ ratio saturate side fill_mode distribution to from endpoint rest options
    crop_to_aspect_ratio pad_to_aspect_ratio var size_average padding_mode padding_value align constraint
    driver UPLO hermitian rcond fweights aweights assume_unique invert max_val filter_size filter_sigma k1 k2
    power_factors return_index_map extrapolation_value
"""
VALUES: Final = frozenset(_VALUES.split())
#: Exceptions: what these parameters of an operation change is the shape or element type of its result.
_SHAPING: Final = frozenset({
    ("bincount", "weights"), ("diag_embed", "offset"), ("linspace", "axis"), ("diag_embed", "k"), ("mean", "weights"),
    ("interpolate", "mode"), ("embedding_bag", "mode"),
})  # fmt: skip
#: The other way round: parameters that only here change no type.
_VALUES_HERE: Final = frozenset({
    ("scatter", "reduce"), ("scatter_reduce", "reduce"), ("local_response_norm", "k"), ("local_response_norm", "alpha"),
    ("isin", "kind"), ("searchsorted", "sorter"), ("unbind", "num"), ("embedding_bag", "mode"), ("isclose", "rtol"),
    ("confusion_matrix", "weights"), ("interpolate", "recompute_scale_factor"),
    ("eye", "k"), ("identity", "dim"), ("identity", "y"), ("rescale", "dim"), ("resize_image", "offset_height"),
    ("resize_image", "offset_width"), ("add", "data_format"), ("identity", "data_format"),
})  # fmt: skip


def may_change_type(kind: str, name: str) -> bool:
    """Whether an argument of an operation, which it does not read, may change the shape or element type of its result."""
    if name in NEUTRAL or (kind, name) in _VALUES_HERE:
        return False
    return name not in VALUES or (kind, name) in _SHAPING


def not_understood(kind: str, args: Mapping[str, Value], given: Iterable[str]) -> str | None:
    """An argument that an operation does not read, among those that are ``given``, which may change the type of its result."""
    known = OPS[kind].parameters if kind in OPS else {}
    unread = (name for name in given if name not in known and args.get(name) not in (None, (), {}))
    return next((name for name in unread if may_change_type(kind, name)), None)


def may_change_numbers(kind: str, args: Mapping[str, Value], defaulted: frozenset[str]) -> frozenset[str]:
    """The arguments that are given to an operation which it does not read, and which may change the result's numbers."""
    known = OPS[kind].parameters if kind in OPS else {}
    given = {name for name, value in args.items() if name not in defaulted and value not in (None, (), {})}
    return frozenset(given - known.keys() - NEUTRAL)
