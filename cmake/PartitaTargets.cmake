# The only ways in which targets are made here:
#
#   partita_tablegen(NAME FILE.td OUT=-gen-flag ...)   generated headers
#   partita_library(NAME [MLIR] SRCS ... [DEPS ...] [TABLEGEN ...])
#   partita_tool(NAME [MLIR] SRCS ... [DEPS ...])      an executable in bin/
#   partita_unit(NAME [MLIR] SRCS ... [DEPS ...])      a GoogleTest executable
#
# MLIR says that the target includes LLVM or MLIR: it then links the two shared
# libraries and uses the precompiled header. Targets without it must not
# include either (support, mesh, runtime).

include_directories(BEFORE "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # ccache cannot serve precompiled headers that carry a time stamp.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
find_program(PARTITA_LLD NAMES ld.lld-22 ld.lld HINTS "${PARTITA_LLVM_BIN}")
if(PARTITA_LLD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_link_options("--ld-path=${PARTITA_LLD}")
endif()

# One precompiled header for everything that includes MLIR.
file(WRITE "${PROJECT_BINARY_DIR}/pch.cpp" "")
add_library(PartitaPch OBJECT "${PROJECT_BINARY_DIR}/pch.cpp")
target_include_directories(PartitaPch SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_precompile_headers(PartitaPch PRIVATE "${PROJECT_SOURCE_DIR}/cmake/pch.h")

function(partita_tablegen name file)
  set(LLVM_TARGET_DEFINITIONS "${file}")
  list(TRANSFORM MLIR_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE includes)
  foreach(pair ${ARGN})
    string(FIND "${pair}" "=" at)
    string(SUBSTRING "${pair}" 0 ${at} output)
    math(EXPR at "${at} + 1")
    string(SUBSTRING "${pair}" ${at} -1 flag)
    separate_arguments(flag)
    mlir_tablegen("${output}" ${flag} "-I${PROJECT_SOURCE_DIR}" ${includes})
  endforeach()
  add_public_tablegen_target(${name})
endfunction()

function(_partita_use_mlir target)
  target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_link_libraries(${target} PUBLIC MLIR LLVM)
  target_precompile_headers(${target} REUSE_FROM PartitaPch)
  # The precompiled header is -fPIC, so executables must not be -fPIE.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC)
endfunction()

function(partita_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SRCS;DEPS;TABLEGEN" ${ARGN})
  add_library(${name} STATIC ${ARG_SRCS})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS})
  if(ARG_MLIR)
    _partita_use_mlir(${name})
  endif()
  if(ARG_TABLEGEN)
    add_dependencies(${name} ${ARG_TABLEGEN})
  endif()
endfunction()

function(partita_tool name)
  cmake_parse_arguments(ARG "MLIR" "" "SRCS;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SRCS})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS})
  if(ARG_MLIR)
    _partita_use_mlir(${name})
  endif()
endfunction()

function(partita_unit name)
  cmake_parse_arguments(ARG "MLIR" "" "SRCS;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SRCS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/unit")
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gtest_main GTest::gmock)
  if(ARG_MLIR)
    _partita_use_mlir(${name})
  endif()
  add_test(NAME ${name} COMMAND ${name})
endfunction()
