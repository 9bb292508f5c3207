"""WebAssembly of a game's rules, for programs in JavaScript: written by LLVM and this package, without a linker.

| module | task |
|---|---|
| `module_compiler` | entry points of drivers as one WebAssembly module, with a description for JavaScript |
| `object_file` | reads and checks the object file that LLVM writes |
| `linker` | makes a module that runs of an object file: memory, exports and final addresses |
"""
