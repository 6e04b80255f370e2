"""What stands in the place of names that TensorFlow 2 does not have.

Data only, without the leading ``tensorflow.``. Which names are gone, and since when, is in ``dllint/frameworks/history``, made
by running releases from 0.12 to 2.21; here is what stands in their place. The tests compare ``MOVED`` with the objects of 2.21.
"""

from __future__ import annotations

from typing import Final

#: TensorFlow 1 name → the same function in TensorFlow 2.
MOVED: Final = {
    "FIFOQueue": "queue.FIFOQueue", "FixedLenFeature": "io.FixedLenFeature",
    "FixedLenSequenceFeature": "io.FixedLenSequenceFeature", "NoGradient": "no_gradient", "NotDifferentiable": "no_gradient",
    "OpError": "errors.OpError", "PaddingFIFOQueue": "queue.PaddingFIFOQueue", "PriorityQueue": "queue.PriorityQueue",
    "QueueBase": "queue.QueueBase", "RandomShuffleQueue": "queue.RandomShuffleQueue", "SparseFeature": "io.SparseFeature",
    "VarLenFeature": "io.VarLenFeature", "accumulate_n": "math.accumulate_n", "angle": "math.angle",
    "assert_proper_iterable": "debugging.assert_proper_iterable",
    "assert_same_float_dtype": "debugging.assert_same_float_dtype", "betainc": "math.betainc", "ceil": "math.ceil",
    "check_numerics": "debugging.check_numerics", "cholesky": "linalg.cholesky", "cholesky_solve": "linalg.cholesky_solve",
    "conj": "math.conj", "cross": "linalg.cross", "cumprod": "math.cumprod", "debugging.is_finite": "math.is_finite",
    "debugging.is_inf": "math.is_inf", "debugging.is_nan": "math.is_nan",
    "debugging.is_non_decreasing": "math.is_non_decreasing",
    "debugging.is_strictly_increasing": "math.is_strictly_increasing", "decode_base64": "io.decode_base64",
    "decode_compressed": "io.decode_compressed", "decode_json_example": "io.decode_json_example",
    "dequantize": "quantization.dequantize", "deserialize_many_sparse": "io.deserialize_many_sparse",
    "diag": "linalg.tensor_diag", "diag_part": "linalg.tensor_diag_part", "digamma": "math.digamma",
    "div_no_nan": "math.divide_no_nan", "encode_base64": "io.encode_base64", "erf": "math.erf", "erfc": "math.erfc",
    "expm1": "math.expm1", "fake_quant_with_min_max_args": "quantization.fake_quant_with_min_max_args",
    "fake_quant_with_min_max_args_gradient": "quantization.fake_quant_with_min_max_args_gradient",
    "fake_quant_with_min_max_vars": "quantization.fake_quant_with_min_max_vars",
    "fake_quant_with_min_max_vars_gradient": "quantization.fake_quant_with_min_max_vars_gradient",
    "fake_quant_with_min_max_vars_per_channel": "quantization.fake_quant_with_min_max_vars_per_channel",
    "fake_quant_with_min_max_vars_per_channel_gradient": "quantization.fake_quant_with_min_max_vars_per_channel_gradient",
    "fft": "signal.fft", "fft2d": "signal.fft2d", "fft3d": "signal.fft3d", "floordiv": "math.floordiv",
    "floormod": "math.mod", "global_norm": "linalg.global_norm", "ifft": "signal.ifft", "ifft2d": "signal.ifft2d",
    "ifft3d": "signal.ifft3d", "igamma": "math.igamma", "igammac": "math.igammac", "imag": "math.imag",
    "image.resize_image_with_crop_or_pad": "image.resize_with_crop_or_pad", "image.transpose_image": "image.transpose",
    "invert_permutation": "math.invert_permutation", "is_finite": "math.is_finite", "is_inf": "math.is_inf",
    "is_nan": "math.is_nan", "is_non_decreasing": "math.is_non_decreasing",
    "is_numeric_tensor": "debugging.is_numeric_tensor", "is_strictly_increasing": "math.is_strictly_increasing",
    "lbeta": "math.lbeta", "lgamma": "math.lgamma", "lin_space": "linspace", "linalg.transpose": "linalg.matrix_transpose",
    "log": "math.log", "log1p": "math.log1p", "log_sigmoid": "math.log_sigmoid", "logical_xor": "math.logical_xor",
    "matching_files": "io.matching_files", "matrix_band_part": "linalg.band_part", "matrix_determinant": "linalg.det",
    "matrix_diag": "linalg.diag", "matrix_diag_part": "linalg.diag_part", "matrix_inverse": "linalg.inv",
    "matrix_set_diag": "linalg.set_diag", "matrix_solve": "linalg.solve", "matrix_solve_ls": "linalg.lstsq",
    "matrix_transpose": "linalg.matrix_transpose", "matrix_triangular_solve": "linalg.triangular_solve", "mod": "math.mod",
    "nn.avg_pool_v2": "nn.avg_pool", "nn.ctc_beam_search_decoder_v2": "nn.ctc_beam_search_decoder",
    "nn.depthwise_conv2d_native_backprop_filter": "nn.depthwise_conv2d_backprop_filter",
    "nn.depthwise_conv2d_native_backprop_input": "nn.depthwise_conv2d_backprop_input",
    "nn.log_uniform_candidate_sampler": "random.log_uniform_candidate_sampler", "nn.max_pool_v2": "nn.max_pool",
    "nn.uniform_candidate_sampler": "random.uniform_candidate_sampler",
    "parse_single_sequence_example": "io.parse_single_sequence_example", "parse_tensor": "io.parse_tensor",
    "polygamma": "math.polygamma", "qr": "linalg.qr", "quantize": "quantization.quantize",
    "quantized_concat": "quantization.quantized_concat", "random_crop": "image.random_crop", "random_gamma": "random.gamma",
    "random_normal": "random.normal", "random_shuffle": "random.shuffle", "random_uniform": "random.uniform",
    "read_file": "io.read_file", "real": "math.real", "reciprocal": "math.reciprocal",
    "regex_replace": "strings.regex_replace", "reverse_v2": "reverse", "rint": "math.rint", "rsqrt": "math.rsqrt",
    "segment_max": "math.segment_max", "segment_mean": "math.segment_mean", "segment_min": "math.segment_min",
    "segment_prod": "math.segment_prod", "segment_sum": "math.segment_sum", "self_adjoint_eig": "linalg.eigh",
    "self_adjoint_eigvals": "linalg.eigvalsh", "serialize_tensor": "io.serialize_tensor",
    "sparse_fill_empty_rows": "sparse.fill_empty_rows", "sparse_mask": "sparse.mask", "sparse_maximum": "sparse.maximum",
    "sparse_minimum": "sparse.minimum", "sparse_reorder": "sparse.reorder", "sparse_reset_shape": "sparse.reset_shape",
    "sparse_reshape": "sparse.reshape", "sparse_retain": "sparse.retain", "sparse_slice": "sparse.slice",
    "sparse_softmax": "sparse.softmax", "sparse_tensor_dense_matmul": "sparse.sparse_dense_matmul",
    "sparse_tensor_to_dense": "sparse.to_dense", "sparse_to_indicator": "sparse.to_indicator",
    "sparse_transpose": "sparse.transpose", "squared_difference": "math.squared_difference", "string_join": "strings.join",
    "string_strip": "strings.strip", "string_to_hash_bucket_fast": "strings.to_hash_bucket_fast",
    "string_to_hash_bucket_strong": "strings.to_hash_bucket_strong", "svd": "linalg.svd",
    "tensor_scatter_add": "tensor_scatter_nd_add", "tensor_scatter_sub": "tensor_scatter_nd_sub",
    "tensor_scatter_update": "tensor_scatter_nd_update", "trace": "linalg.trace", "train.Server": "distribute.Server",
    "train.match_filenames_once": "io.match_filenames_once", "train.write_graph": "io.write_graph",
    "truncated_normal": "random.truncated_normal", "unsorted_segment_max": "math.unsorted_segment_max",
    "unsorted_segment_mean": "math.unsorted_segment_mean", "unsorted_segment_min": "math.unsorted_segment_min",
    "unsorted_segment_prod": "math.unsorted_segment_prod", "unsorted_segment_sqrt_n": "math.unsorted_segment_sqrt_n",
    "unsorted_segment_sum": "math.unsorted_segment_sum", "where_v2": "where", "write_file": "io.write_file",
    "zeta": "math.zeta",
}  # fmt: skip

#: Names of releases before 1.0 → the successor of the same meaning; ``""`` if there is none.
ANCIENT: Final = {
    "mul": "multiply", "sub": "subtract", "neg": "negative", "pack": "stack", "unpack": "unstack", "select": "where",
    "inv": "math.reciprocal", "batch_matmul": "matmul", "complex_abs": "abs", "concat_v2": "concat", "listdiff": "",
    "batch_cholesky": "linalg.cholesky", "batch_matrix_inverse": "linalg.inv", "batch_matrix_determinant": "linalg.det",
    "batch_fft": "signal.fft", "image.per_image_whitening": "image.per_image_standardization",
}  # fmt: skip

#: Names that no release from 0.12 on has, so that running releases cannot show them.
BEFORE_ALL: Final = frozenset({
    "inv", "listdiff", "batch_cholesky", "batch_matrix_inverse", "batch_matrix_determinant", "batch_fft",
    "image.per_image_whitening",
})  # fmt: skip

#: What to use where arguments or results differ.
ADVICE: Final = {
    "train.SummaryWriter": "tf.summary.create_file_writer",
    "summary.FileWriter": "tf.summary.create_file_writer",
    "estimator": "Keras models",
}
