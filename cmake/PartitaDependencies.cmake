# Every third-party package that Partita builds with.

find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
find_package(absl REQUIRED CONFIG)
find_package(Protobuf 3.21 REQUIRED)
find_package(GTest REQUIRED CONFIG)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
# Debian's own CMake files of libzip name tools of another package.
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZIP REQUIRED IMPORTED_TARGET libzip)
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

set(PARTITA_LLVM_BIN "${LLVM_TOOLS_BINARY_DIR}"
    CACHE PATH "Where FileCheck, lit and lld of LLVM 22 lie")
