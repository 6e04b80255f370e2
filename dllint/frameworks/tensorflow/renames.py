"""Names of TensorFlow 1 and older that TensorFlow 2 does not have.

Data only, without the leading ``tensorflow.``. ``MOVED`` and ``GONE`` were made by comparing the name lists of
``tensorflow.compat.v1`` with those of ``tensorflow`` 2.21; ``ANCIENT`` are names that even TensorFlow 1.15 lacks
(release notes of 0.12 and 1.0). Losses, metrics and initializers of the same name in Keras are left out.
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

_GONE = """
    AUTO_REUSE ConditionalAccumulator ConditionalAccumulatorBase ConfigProto Dimension Event FixedLengthRecordReader
    GPUOptions GraphDef GraphKeys GraphOptions IdentityReader InteractiveSession LMDBReader MetaGraphDef NodeDef Print
    ReaderBase RunMetadata RunOptions Session SparseConditionalAccumulator SparseTensorValue Summary SummaryMetadata
    TFRecordReader TextLineReader VariableScope WholeFileReader add_check_numerics_ops add_to_collection
    add_to_collections all_variables arg_max arg_min assert_greater_equal assert_integer assert_less_equal assert_near
    assert_negative assert_non_negative assert_non_positive assert_none_equal assert_positive assert_rank_at_least
    assert_rank_in assert_scalar assert_type assert_variables_initialized assign assign_add assign_sub batch_gather
    batch_scatter_update batch_to_space_nd bincount clip_by_average_norm colocate_with confusion_matrix container
    control_flow_v2_enabled convert_to_tensor_or_indexed_slices convert_to_tensor_or_sparse_tensor count_nonzero
    count_up_to create_partitioned_variables data.get_output_classes data.get_output_shapes data.get_output_types
    data.make_initializable_iterator data.make_one_shot_iterator decode_csv decode_raw delete_session_tensor
    depth_to_space dimension_at_index dimension_value disable_control_flow_v2 disable_eager_execution
    disable_resource_variables disable_tensor_equality disable_v2_behavior disable_v2_tensorshape div
    enable_control_flow_v2 enable_eager_execution enable_resource_variables enable_tensor_equality enable_v2_behavior
    enable_v2_tensorshape executing_eagerly_outside_functions extract_image_patches fixed_size_partitioner floor_div
    get_collection get_collection_ref get_default_graph get_default_session get_local_variable get_seed
    get_session_handle get_session_tensor get_variable get_variable_scope global_variables global_variables_initializer
    glorot_normal_initializer glorot_uniform_initializer image.extract_image_patches image.resize_area
    image.resize_bicubic image.resize_bilinear image.resize_image_with_pad image.resize_images
    image.resize_nearest_neighbor initialize_all_tables initialize_all_variables initialize_local_variables
    initialize_variables is_variable_initialized load_file_system_library local_variables local_variables_initializer
    losses.absolute_difference losses.add_loss losses.compute_weighted_loss losses.cosine_distance losses.get_losses
    losses.get_regularization_loss losses.get_regularization_losses losses.get_total_loss losses.hinge_loss
    losses.huber_loss losses.log_loss losses.mean_pairwise_squared_error losses.sigmoid_cross_entropy
    losses.softmax_cross_entropy losses.sparse_softmax_cross_entropy make_template min_max_variable_partitioner
    model_variables moving_average_variables multinomial nn.bidirectional_dynamic_rnn nn.conv2d_backprop_filter
    nn.conv2d_backprop_input nn.conv3d_backprop_filter nn.conv3d_backprop_filter_v2 nn.ctc_loss_v2
    nn.depthwise_conv2d_native nn.dynamic_rnn nn.fused_batch_norm nn.quantized_avg_pool nn.quantized_conv2d
    nn.quantized_max_pool nn.quantized_relu_x nn.raw_rnn nn.relu_layer nn.softmax_cross_entropy_with_logits_v2
    nn.static_bidirectional_rnn nn.static_rnn nn.static_state_saving_rnn nn.xw_plus_b no_regularizer op_scope
    orthogonal_initializer parse_example parse_single_example placeholder placeholder_with_default py_func quantize_v2
    random.get_seed random.multinomial random.set_random_seed random.stateless_multinomial random_poisson reduce_join
    report_uninitialized_variables reset_default_graph resource_variables_enabled scatter_add scatter_div scatter_max
    scatter_min scatter_mul scatter_nd_add scatter_nd_sub scatter_nd_update scatter_sub scatter_update
    serialize_many_sparse serialize_sparse set_random_seed setdiff1d space_to_depth sparse_add sparse_concat
    sparse_matmul sparse_merge sparse_placeholder sparse_reduce_max sparse_reduce_max_sparse sparse_reduce_sum
    sparse_reduce_sum_sparse sparse_segment_mean sparse_segment_sqrt_n sparse_segment_sum sparse_split sparse_to_dense
    string_split string_to_hash_bucket string_to_number substr tables_initializer to_bfloat16 to_complex128 to_complex64
    to_double to_float to_int32 to_int64 train.AdadeltaOptimizer train.AdagradDAOptimizer train.AdagradOptimizer
    train.AdamOptimizer train.CheckpointSaverHook train.CheckpointSaverListener train.ChiefSessionCreator
    train.FeedFnHook train.FinalOpsHook train.FtrlOptimizer train.GlobalStepWaiterHook train.GradientDescentOptimizer
    train.LoggingTensorHook train.LooperThread train.MomentumOptimizer train.MonitoredSession
    train.MonitoredTrainingSession train.NanLossDuringTrainingError train.NanTensorHook train.NewCheckpointReader
    train.Optimizer train.ProfilerHook train.ProximalAdagradOptimizer train.ProximalGradientDescentOptimizer
    train.QueueRunner train.RMSPropOptimizer train.Saver train.SaverDef train.Scaffold train.SecondOrStepTimer
    train.SessionCreator train.SessionManager train.SessionRunArgs train.SessionRunContext train.SessionRunHook
    train.SessionRunValues train.SingularMonitoredSession train.StepCounterHook train.StopAtStepHook
    train.SummarySaverHook train.Supervisor train.SyncReplicasOptimizer train.VocabInfo train.WorkerSessionCreator
    train.add_queue_runner train.assert_global_step train.basic_train_loop train.batch train.batch_join
    train.checkpoint_exists train.cosine_decay train.cosine_decay_restarts train.create_global_step
    train.do_quantize_training_on_graphdef train.exponential_decay train.export_meta_graph
    train.generate_checkpoint_state_proto train.get_checkpoint_mtimes train.get_global_step
    train.get_or_create_global_step train.global_step train.import_meta_graph train.init_from_checkpoint
    train.input_producer train.inverse_time_decay train.limit_epochs train.linear_cosine_decay train.maybe_batch
    train.maybe_batch_join train.maybe_shuffle_batch train.maybe_shuffle_batch_join train.natural_exp_decay
    train.noisy_linear_cosine_decay train.piecewise_constant train.piecewise_constant_decay train.polynomial_decay
    train.range_input_producer train.remove_checkpoint train.replica_device_setter train.sdca_fprint
    train.sdca_optimizer train.sdca_shrink_l1 train.shuffle_batch train.shuffle_batch_join train.slice_input_producer
    train.start_queue_runners train.string_input_producer train.summary_iterator train.update_checkpoint_state
    train.warm_start trainable_variables truncated_normal_initializer uniform_unit_scaling_initializer
    variable_axis_size_partitioner variable_op_scope variable_scope variables_initializer variance_scaling_initializer
    verify_tensor_all_finite wrap_function
"""

#: TensorFlow 1 names without a one-to-one successor (all still in ``tf.compat.v1``).
GONE: Final = frozenset(_GONE.split())

#: TensorFlow 1 modules that are gone as a whole.
GONE_MODULES: Final = (
    "contrib", "app", "flags", "gfile", "logging", "layers", "python_io", "manip", "spectral", "distributions", "user_ops",
    "nn.rnn_cell", "estimator", "resource_loader", "examples.tutorials",
)  # fmt: skip

#: Names removed before TensorFlow 1.15 → the successor in TensorFlow 2, or ``""``.
ANCIENT: Final = {
    "mul": "multiply", "sub": "subtract", "neg": "negative", "pack": "stack", "unpack": "unstack", "select": "where",
    "inv": "math.reciprocal", "batch_matmul": "matmul", "complex_abs": "abs", "concat_v2": "concat", "listdiff": "",
    "scalar_summary": "", "histogram_summary": "", "image_summary": "", "audio_summary": "",
    "merge_summary": "", "merge_all_summaries": "", "train.SummaryWriter": "", "batch_cholesky": "linalg.cholesky",
    "batch_matrix_inverse": "linalg.inv", "batch_matrix_determinant": "linalg.det", "batch_fft": "signal.fft",
    "nn.seq2seq": "", "nn.rnn": "", "models.rnn": "", "python.ops": "", "nn.bidirectional_rnn": "", "nn.state_saving_rnn": "",
    "image.per_image_whitening": "image.per_image_standardization",
}  # fmt: skip
