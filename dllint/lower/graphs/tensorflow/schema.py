"""The fields of the protocol buffers that a TensorFlow graph is stored in, as far as they are read.

Each line is ``name number type``; ``*`` after the type says repeated, ``map<K,V>`` is a map. The numbers are those of
``tensorflow/core/framework/*.proto`` and ``tensorflow/core/protobuf/*.proto``; fields that are left out are skipped by the
parser. Names of messages are kept, because the text form names extensions and enumerations by them.
"""

from __future__ import annotations

from typing import Final

#: Element types by number; those of references (to variables) are larger by :data:`REFERENCE`.
DATA_TYPES: Final = {
    "DT_INVALID": 0, "DT_FLOAT": 1, "DT_DOUBLE": 2, "DT_INT32": 3, "DT_UINT8": 4, "DT_INT16": 5, "DT_INT8": 6, "DT_STRING": 7,
    "DT_COMPLEX64": 8, "DT_INT64": 9, "DT_BOOL": 10, "DT_QINT8": 11, "DT_QUINT8": 12, "DT_QINT32": 13, "DT_BFLOAT16": 14,
    "DT_QINT16": 15, "DT_QUINT16": 16, "DT_UINT16": 17, "DT_COMPLEX128": 18, "DT_HALF": 19, "DT_RESOURCE": 20,
    "DT_VARIANT": 21, "DT_UINT32": 22, "DT_UINT64": 23, "DT_FLOAT8_E5M2": 24, "DT_FLOAT8_E4M3FN": 25, "DT_INT4": 29,
    "DT_UINT4": 30,
}  # fmt: skip
REFERENCE: Final = 100

MESSAGES: Final = {
    "GraphDef": "node 1 NodeDef*, library 2 FunctionDefLibrary, debug_info 5 GraphDebugInfo",
    "NodeDef": (
        "name 1 string, op 2 string, input 3 string*, device 4 string, attr 5 map<string,AttrValue>, "
        "experimental_debug_info 6 NodeDebugInfo"
    ),
    "NodeDebugInfo": "original_node_names 1 string*, original_func_names 2 string*",
    "AttrValue": (
        "list 1 AttrList, s 2 bytes, i 3 int64, f 4 float, b 5 bool, type 6 DataType, shape 7 TensorShapeProto, "
        "tensor 8 TensorProto, placeholder 9 string, func 10 NameAttrList"
    ),
    "AttrList": (
        "s 2 bytes*, i 3 int64*, f 4 float*, b 5 bool*, type 6 DataType*, shape 7 TensorShapeProto*, tensor 8 TensorProto*, "
        "func 9 NameAttrList*"
    ),
    "NameAttrList": "name 1 string, attr 2 map<string,AttrValue>",
    "TensorShapeProto": "dim 2 ShapeAxis*, unknown_rank 3 bool",
    "ShapeAxis": "size 1 int64, name 2 string",
    "TensorProto": (
        "dtype 1 DataType, tensor_shape 2 TensorShapeProto, tensor_content 4 bytes, float_val 5 float*, double_val 6 double*, "
        "int_val 7 int32*, string_val 8 bytes*, int64_val 10 int64*, bool_val 11 bool*, half_val 13 int32*, "
        "uint32_val 16 uint32*, uint64_val 17 uint64*"
    ),
    "FunctionDefLibrary": "function 1 FunctionDef*",
    "FunctionDef": "signature 1 OpDef, node_def 3 NodeDef*, ret 4 map<string,string>, attr 5 map<string,AttrValue>",
    "OpDef": "name 1 string, input_arg 2 ArgDef*, output_arg 3 ArgDef*",
    "ArgDef": "name 1 string, type 3 DataType, type_attr 4 string, number_attr 5 string, type_list_attr 6 string",
    "GraphDebugInfo": (
        "files 1 string*, traces 2 map<string,StackTrace>, frames_by_id 4 map<fixed64,FileLineCol>, "
        "name_to_trace_id 5 map<string,fixed64>, traces_by_id 6 map<fixed64,StackTrace>"
    ),
    "StackTrace": "file_line_cols 1 FileLineCol*, frame_id 2 fixed64*",
    "FileLineCol": "file_index 1 int32, line 2 int32, col 3 int32, func 4 string, code 5 string",
    "SavedModel": "saved_model_schema_version 1 int64, meta_graphs 2 MetaGraphDef*",
    "MetaGraphDef": "graph_def 2 GraphDef",
}
#: Fields of a message of which only one is present.
CHOICES: Final = {"AttrValue": "value"}
