"""The compiler of the dialect: from the syntax trees of rules and drivers to machine code, by way of LLVM.

| module | task |
|---|---|
| `types` | the types of the dialect, and values of expressions while a function is written |
| `program` | all functions and tables that an entry point needs, as one LLVM module |
| `function_writer`, `expression_writer` | the LLVM code of a function's statements and expressions |
| `machine_code` | optimization, object files, and loading them into the process |
| `driver` | the entry points of a driver, bound to a game |
| `entry_point` | functions that Python calls |
| `object_cache` | object files, kept between processes |
| `symbol_files` | files for debuggers and profilers |
| `installation` | whether this machine can compile, and what to do if it cannot |
| `faults` | what checked machine code reports |

LLVM code is written as text. llvmlite is used through `llvmlite.binding` alone.
"""
