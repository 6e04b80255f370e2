"""Names that name, place, log, save or configure: no tensor passes through them."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.keras.protocols.plain import argument
from dllint.frameworks.machine import HANDLERS, Handler, Machine, handler
from dllint.frameworks.tensorflow.session import OPERATION
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value

#: Functions that change no value and return none.
SILENT: Final = """
    reset_default_graph disable_v2_behavior disable_eager_execution enable_eager_execution disable_v2_tensorshape
    enable_v2_behavior disable_resource_variables random.set_random_seed set_random_seed add_to_collection add_to_collections
    logging.set_verbosity logging.info logging.warn logging.warning logging.error logging.debug logging.fatal logging.log
    logging.log_every_n train.start_queue_runners train.write_graph train.add_queue_runner train.export_meta_graph
    train.update_checkpoint_state gfile.MakeDirs gfile.DeleteRecursively gfile.Remove gfile.Copy io.gfile.makedirs
    config.set_visible_devices config.experimental.set_memory_growth
    config.experimental_run_functions_eagerly config.run_functions_eagerly app.run losses.add_loss
    contrib.layers.summarize_activation contrib.layers.summarize_tensor contrib.layers.summarize_collection
    contrib.layers.summarize_activations io.write_graph
"""
#: Functions whose result is something to run.
OPERATIONS: Final = """
    global_variables_initializer initialize_all_variables initialize_local_variables local_variables_initializer
    variables_initializer initialize_variables tables_initializer initialize_all_tables group no_op scatter_update
    scatter_add scatter_sub count_up_to assert_equal assert_less assert_greater assert_rank assert_positive
    assert_non_negative assert_less_equal assert_greater_equal assert_type assert_scalar debugging.assert_equal
    debugging.assert_less debugging.assert_greater debugging.Assert Assert
    add_check_numerics_ops
    summary.scalar summary.histogram summary.image summary.audio summary.text summary.merge summary.merge_all
    summary.tensor_summary scalar_summary histogram_summary image_summary audio_summary merge_summary merge_all_summaries
    report_uninitialized_variables train.ExponentialMovingAverage.apply
"""
#: Classes and functions that make an object without values: scopes, graphs, savers, writers.
OBJECTS: Final = """
    variable_scope name_scope op_scope variable_op_scope device control_dependencies colocate_with container init_scope
    Graph get_default_graph get_variable_scope make_template VariableScope ConfigProto GPUOptions GraphOptions RunOptions
    RunMetadata OptimizerOptions train.Saver train.Coordinator train.Supervisor train.ClusterSpec train.Server
    train.ExponentialMovingAverage train.Checkpoint train.CheckpointManager train.LoggingTensorHook train.StopAtStepHook
    train.SummarySaverHook train.CheckpointSaverHook train.SessionRunHook train.Scaffold train.ChiefSessionCreator
    train.QueueRunner train.get_checkpoint_state train.import_meta_graph summary.FileWriter train.SummaryWriter
    summary.FileWriterCache summary.create_file_writer Summary Summary.Value train.NewCheckpointReader gfile.GFile
    gfile.FastGFile gfile.Open io.gfile.GFile python_io.TFRecordWriter io.TFRecordWriter train.Example train.Features
    train.Feature train.FloatList train.Int64List train.BytesList saved_model.builder.SavedModelBuilder
    errors.OutOfRangeError errors.NotFoundError errors.InvalidArgumentError errors.DataLossError
    distribute.MirroredStrategy profiler.ProfileOptionBuilder train.replica_device_setter estimator.Estimator
    estimator.RunConfig estimator.EstimatorSpec estimator.inputs.numpy_input_fn contrib.learn.RunConfig
    WholeFileReader TextLineReader TFRecordReader FixedLengthRecordReader queue.FIFOQueue queue.RandomShuffleQueue
    data.Options io.FixedLenFeature io.VarLenFeature io.FixedLenSequenceFeature GraphDef
"""
#: Facts of the run or of files, with the reason why they are not known.
OF_THE_RUN: Final = """
    train.latest_checkpoint train.checkpoint_exists train.global_step gfile.Exists gfile.IsDirectory gfile.ListDirectory
    gfile.Glob io.gfile.exists io.gfile.glob io.gfile.listdir test.is_gpu_available test.gpu_device_name test.is_built_with_cuda
    config.list_physical_devices config.experimental.list_physical_devices executing_eagerly __version__
    contrib.learn.preprocessing.VocabularyProcessor train.string_input_producer io.match_filenames_once
    train.match_filenames_once
    io.parse_single_example io.parse_example io.decode_csv io.decode_raw decode_csv decode_raw
    parse_single_example parse_example io.read_file py_func numpy_function py_function
    random.uniform_candidate_sampler nn.ctc_beam_search_decoder import_graph_def graph_util.convert_variables_to_constants
    load_op_library test.get_temp_dir sysconfig.get_lib io.gfile.isdir
"""
#: Lists of variables: what is in them is not followed.
COLLECTIONS: Final = """
    trainable_variables global_variables all_variables local_variables get_collection get_collection_ref model_variables
    moving_average_variables contrib.framework.get_variables contrib.framework.get_model_variables
    contrib.framework.get_variables_to_restore losses.get_losses losses.get_regularization_losses
"""


def nothing(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Changes no value we follow."""
    return None


def _operation(machine: Machine, _: Value, arguments: Arguments) -> Value:
    return InstanceVal(LibSymbol(OPERATION), site=machine.site)


def _collection(machine: Machine, _: Value, arguments: Arguments) -> Value:
    return ListVal([], Unknown("run-time", "collection"))


def _object(name: str) -> Handler:
    def make(machine: Machine, _: Value, arguments: Arguments) -> Value:
        out = InstanceVal(LibSymbol(f"tensorflow.{name}"), site=machine.site)
        out.open = Unknown("run-time", name)
        return out

    return make


def _of_the_run(name: str) -> Handler:
    def ask(machine: Machine, _: Value, arguments: Arguments) -> Value:
        return Unknown("run-time", name)

    return ask


#: Methods of the objects above that return nothing.
_METHODS: Final = """
    train.Saver.save train.Saver.restore summary.FileWriter.add_summary summary.FileWriter.add_graph
    summary.FileWriter.flush summary.FileWriter.close train.SummaryWriter.add_summary train.SummaryWriter.flush
    train.SummaryWriter.close train.SummaryWriter.add_graph train.Coordinator.request_stop train.Coordinator.join
    train.Coordinator.should_stop Graph.finalize get_default_graph.finalize get_variable_scope.reuse_variables
    variable_scope.reuse_variables python_io.TFRecordWriter.write python_io.TFRecordWriter.close io.TFRecordWriter.write
    train.Supervisor.stop train.Supervisor.loop train.Supervisor.summary_computed train.Supervisor.start_queue_runners
    VariableScope.reuse_variables summary.FileWriter.add_run_metadata train.Checkpoint.restore train.CheckpointManager.save
    gfile.GFile.write gfile.GFile.close train.Supervisor.request_stop
"""

for _names, _make in ((SILENT, lambda _name: nothing), (OPERATIONS, lambda _name: _operation), (OBJECTS, _object),
                      (OF_THE_RUN, _of_the_run), (COLLECTIONS, lambda _name: _collection), (_METHODS, lambda _name: nothing),
                      ):  # fmt: skip
    for _one in _names.split():
        if f"tensorflow.{_one}" not in HANDLERS:
            handler(f"tensorflow.{_one}")(_make(_one))


@handler(
    "tensorflow.Graph.as_default", "tensorflow.get_default_graph.as_default", "tensorflow.summary.create_file_writer.as_default"
)
def itself(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """A context that is its own manager."""
    return one


@handler("tensorflow.control_flow_ops.with_dependencies", "tensorflow.with_dependencies")
def with_dependencies(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The tensor itself, after other operations."""
    return argument(arguments, "output_tensor", 1)


@handler("tensorflow.train.ExponentialMovingAverage.average")
def average(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The average of a variable has its type."""
    return argument(arguments, "var", 0)


@handler(
    "tensorflow.train.get_or_create_global_step", "tensorflow.train.create_global_step", "tensorflow.train.get_global_step"
)
def global_step(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The counter of steps."""
    return machine.emit("variable", {"data": 0}, framework="tensorflow", spelled="tensorflow.train.get_or_create_global_step")
