// RUN: partita-opt %s --split-input-file --verify-diagnostics

// What control flow and regions must not be.

func.func @while_results(%x: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{has 1 operands but 2 results}}
  %0:2 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @condition(%x: tensor<f32>) {
  // expected-error@+1 {{has a condition of type 'tensor<f32>', expected tensor<i1>}}
  %0 = stablehlo.while(%a = %x) : tensor<f32>
   cond {
    stablehlo.return %a : tensor<f32>
  } do {
    stablehlo.return %a : tensor<f32>
  }
  return
}

// -----

func.func @arguments(%x: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{the condition has 0 arguments, expected 1}}
  %0 = "stablehlo.while"(%x) ({
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @no_return(%x: tensor<f32>, %p: tensor<i1>) {
  // expected-error@+1 {{a branch does not end in a return}}
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %x : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @branch(%x: tensor<f32>, %y: tensor<i32>, %p: tensor<i1>) {
  // expected-error@+1 {{has result type 'tensor<f32>', but a branch returns 'tensor<i32>'}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    // expected-note@+1 {{returned here}}
    stablehlo.return %y : tensor<i32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @predicate(%x: tensor<f32>, %p: tensor<2xi1>) {
  // expected-error@+1 {{has a predicate of type 'tensor<2xi1>', expected tensor<i1>}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xi1>) -> tensor<f32>
  return
}

// -----

func.func @no_branch(%i: tensor<i32>) {
  // expected-error@+1 {{has no branch}}
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}

// -----

func.func @tuple(%x: tensor<f32>) {
  // expected-error@+1 {{has result type 'tuple<tensor<i32>>', which does not hold its operands}}
  %0 = "stablehlo.tuple"(%x) : (tensor<f32>) -> tuple<tensor<i32>>
  return
}

// -----

func.func @element(%x: tuple<tensor<f32>>) {
  // expected-error@+1 {{takes element 1 of 'tuple<tensor<f32>>'}}
  %0 = stablehlo.get_tuple_element %x[1] : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @element_type(%x: tuple<tensor<f32>>) {
  // expected-error@+1 {{has result type 'tensor<i32>', but element 0 is 'tensor<f32>'}}
  %0 = stablehlo.get_tuple_element %x[0] : (tuple<tensor<f32>>) -> tensor<i32>
  return
}

// -----

func.func @barrier(%x: tensor<f32>) {
  // expected-error@+1 {{has 1 operands but 2 results}}
  %0:2 = "stablehlo.optimization_barrier"(%x) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @barrier_type(%x: tensor<f32>) {
  // expected-error@+1 {{has result type 'tensor<i32>' for operand type 'tensor<f32>'}}
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<f32>) -> tensor<i32>
  return
}
