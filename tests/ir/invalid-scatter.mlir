// RUN: partita-opt %s -split-input-file -verify-diagnostics

func.func @main(%x: tensor<8x6xf32>, %ids: tensor<3x1xi32>, %u: tensor<3x6xf64>) {
  // expected-error @below {{must have the element type of}}
  %0 = core.scatter with sum : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
    input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>,
    scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x6xf64>) -> tensor<8x6xf32>
  return
}

// -----

func.func @main(%x: tensor<8x6xf32>, %ids: tensor<3x1xi32>, %u: tensor<3x1x6xf32>) {
  // expected-error @below {{must be update_window_dims and the 1 of the indices}}
  %0 = core.scatter with sum : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
    input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>,
    scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x1x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @main(%x: tensor<8x6xf32>, %ids: tensor<3x1xi32>, %u: tensor<4x6xf32>) {
  // expected-error @below {{dimension 0 of the updates has size 4, dimension 0 of the indices has 3}}
  %0 = core.scatter with sum : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
    input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>,
    scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @main(%x: tensor<8x6xf32>, %ids: tensor<3x1xi32>, %u: tensor<3x7xf32>) {
  // expected-error @below {{dimension 1 of the updates has size 7, more than 6 of the operand's dimension 1}}
  %0 = core.scatter with sum : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
    input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>,
    scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x7xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @main(%x: tensor<8x6xf32>, %ids: tensor<3x1xi32>, %u: tensor<3x6xf32>) {
  // expected-error @below {{index_vector_dim 3 is not in the indices}}
  %0 = core.scatter with sum : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
    input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>,
    scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 3 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @main(%x: tensor<8x6xf32>, %ids: tensor<3x1xi32>, %u: tensor<3x6xf32>) {
  // expected-error @below {{index vectors have 1 components, but the map to operand dimensions has 2}}
  %0 = core.scatter with sum : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
    input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>,
    scatter_dims_to_operand_dims = array<i64: 0, 1>, index_vector_dim = 1 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @main(%x: tensor<8x6xf32>, %ids: tensor<3x1xi32>, %u: tensor<3x6xf32>) {
  // expected-error @below {{collapsed, batching and indexed dimensions must be different dimensions of the operand}}
  %0 = core.scatter with sum : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0, 0>,
    input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>,
    scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @main(%x: tensor<8x6xf32>, %ids: tensor<3x1xi32>, %u: tensor<3x6xf32>) {
  // expected-error @below {{batching dimensions of operand and indices must pair up}}
  %0 = core.scatter with sum : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
    input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64: 0>,
    scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @main(%x: tensor<8x6xf32>, %ids: tensor<3x1xi32>, %u: tensor<3x6xf32>) {
  // expected-error @below {{batching dimension 0 of the operand has size 8, dimension 0 of the indices has 3}}
  %0 = core.scatter with sum : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64>,
    input_batching_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64: 0>,
    scatter_dims_to_operand_dims = array<i64: 1>, index_vector_dim = 1 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @main(%x: tensor<8x6xf32>, %ids: tensor<3x1xi32>, %u: tensor<3x6xf32>) {
  // expected-error @below {{1 window dimensions for 2 operand dimensions that are neither collapsed nor batching}}
  %0 = core.scatter with sum : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64>,
    input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>,
    scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @main(%x: tensor<8x6xf32>, %ids: tensor<3x1xi32>, %u: tensor<3x6xf32>) {
  // expected-error @below {{with and cannot combine 'f32': it takes integers}}
  %0 = core.scatter with and : %x at %ids, %u {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
    input_batching_dims = array<i64>, scatter_indices_batching_dims = array<i64>,
    scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1 : i64}
    : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<8x6xf32>
  return
}
