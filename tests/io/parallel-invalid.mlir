// RUN: partita-opt %s --partita-import --split-input-file --verify-diagnostics

func.func private @outside()
func.func @external() {
  // expected-error@+1 {{'interpreter.run_parallel' names @outside, which is no function with a body of one block}}
  "interpreter.run_parallel"() {programs = [[@outside]]} : () -> ()
  return
}

// -----

func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
  return %x : tensor<2xi32>
}
func.func @operands(%x: tensor<2xi32>) {
  // expected-error@+1 {{'interpreter.run_parallel' has operands ('tensor<2xi32>'), its programs have ('tensor<2xi32>', 'tensor<2xi32>')}}
  %0:2 = "interpreter.run_parallel"(%x) {programs = [[@f], [@f]]} : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
  return %x : tensor<2xi32>
}
func.func @results(%x: tensor<2xi32>) {
  // expected-error@+1 {{'interpreter.run_parallel' has results ('tensor<3xi32>'), its programs have ('tensor<2xi32>')}}
  %0 = "interpreter.run_parallel"(%x) {programs = [[@f]]} : (tensor<2xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @itself() {
  // expected-error@+1 {{'interpreter.run_parallel' within a program that it runs has no core form yet}}
  "interpreter.run_parallel"() {programs = [[@itself]]} : () -> ()
  return
}

// -----

func.func @f() {
  return
}
func.func @grids() {
  "interpreter.run_parallel"() {programs = [[@f, @f]]} : () -> ()
  // expected-error@+1 {{'interpreter.run_parallel' in a module with another mesh or grid of programs has no core form yet}}
  "interpreter.run_parallel"() {programs = [[@f], [@f]]} : () -> ()
  return
}

// -----

func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error@+1 {{'stablehlo.collective_permute' where devices run different programs has no core form yet}}
  %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @g() {
  return
}
func.func @different(%x: tensor<2xi32>) {
  %0 = "interpreter.run_parallel"(%x) {programs = [[@f], [@g]]} : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error@+1 {{'stablehlo.all_reduce' names number 2; here are numbers 0 to 1}}
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @numbers(%x: tensor<2xi32>) {
  %0:4 = "interpreter.run_parallel"(%x, %x, %x, %x) {programs = [[@f, @f], [@f, @f]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @f(%token: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.infeed' finds nothing more in the queue that 'infeed' lists}}
  %0:2 = "stablehlo.infeed"(%token) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return
}
func.func @empty_queue() {
  %token = stablehlo.create_token : !stablehlo.token
  "interpreter.run_parallel"(%token) {programs = [[@f]]} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @one() -> tensor<3xi32> {
  %0 = stablehlo.constant dense<1> : tensor<3xi32>
  return %0 : tensor<3xi32>
}
func.func @f(%token: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.infeed' takes values of other types than @one gives}}
  %0:2 = "stablehlo.infeed"(%token) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return
}
func.func @other_types() {
  %token = stablehlo.create_token : !stablehlo.token
  "interpreter.run_parallel"(%token) {infeed = [@one], programs = [[@f]]} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @one() -> tensor<2xi32> {
  %0 = stablehlo.constant dense<1> : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @f(%token: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.infeed' on several devices has no core form yet}}
  %0:2 = "stablehlo.infeed"(%token) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return
}
func.func @shared_queue() {
  %token = stablehlo.create_token : !stablehlo.token
  "interpreter.run_parallel"(%token, %token) {infeed = [@one], programs = [[@f], [@f]]} : (!stablehlo.token, !stablehlo.token) -> ()
  return
}

// -----

func.func @send(%x: tensor<2xi32>, %token: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.send' sends what no program receives over channel 1}}
  %0 = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func @unheard(%x: tensor<2xi32>) {
  %token = stablehlo.create_token : !stablehlo.token
  "interpreter.run_parallel"(%x, %token) {programs = [[@send]]} : (tensor<2xi32>, !stablehlo.token) -> ()
  return
}

// -----

func.func @recv(%token: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.recv' waits for what no program sends over channel 3}}
  %0:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return
}
func.func @silent() {
  %token = stablehlo.create_token : !stablehlo.token
  "interpreter.run_parallel"(%token) {programs = [[@recv]]} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @send(%x: tensor<2xi32>, %token: !stablehlo.token) {
  %0 = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func @recv(%token: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.recv' takes values of other types than its 'stablehlo.send' sends}}
  %0:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}
func.func @types(%x: tensor<2xi32>) {
  %token = stablehlo.create_token : !stablehlo.token
  "interpreter.run_parallel"(%x, %token, %token) {programs = [[@send, @recv]]} : (tensor<2xi32>, !stablehlo.token, !stablehlo.token) -> ()
  return
}

// -----

func.func @send(%x: tensor<2xi32>, %token: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.send' over one channel on several devices has no core form yet}}
  %0 = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func @crowd(%x: tensor<2xi32>) {
  %token = stablehlo.create_token : !stablehlo.token
  "interpreter.run_parallel"(%x, %token, %x, %token) {programs = [[@send, @send]]} : (tensor<2xi32>, !stablehlo.token, tensor<2xi32>, !stablehlo.token) -> ()
  return
}

// -----

func.func @send(%x: tensor<2xi32>, %token: !stablehlo.token) {
  // expected-error@+1 {{'stablehlo.send' with pairs of devices has no core form yet}}
  %0 = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func @pairs(%x: tensor<2xi32>) {
  %token = stablehlo.create_token : !stablehlo.token
  "interpreter.run_parallel"(%x, %token) {programs = [[@send]]} : (tensor<2xi32>, !stablehlo.token) -> ()
  return
}

// -----

func.func @relay(%token: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %1 = "stablehlo.send"(%0#0, %0#1) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = true} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func @echo(%token: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %1 = "stablehlo.send"(%0#0, %0#1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func @deadlock() {
  %token = stablehlo.create_token : !stablehlo.token
  // expected-error@+1 {{the programs of 'interpreter.run_parallel' wait for one another for ever}}
  "interpreter.run_parallel"(%token, %token) {programs = [[@relay, @echo]]} : (!stablehlo.token, !stablehlo.token) -> ()
  return
}

// -----

func.func @probe(%x: tensor<2xi32>) {
  // expected-error@+1 {{'interpreter.probe' has no core form yet}}
  %0 = interpreter.probe %x, probe_id = "p" : tensor<2xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>) {
  // expected-error@+1 {{'stablehlo.all_gather' needs groups of one size}}
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>} : (tensor<4x2xi32>) -> tensor<8x2xi32>
  // expected-error@+1 {{'stablehlo.reduce_scatter' cannot cut dimension 0 of 'tensor<4x2xi32>' into 3 equal parts}}
  %1 = "stablehlo.reduce_scatter"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4x2xi32>) -> tensor<1x2xi32>
  // expected-error@+1 {{'stablehlo.all_gather' has a result of type 'tensor<8x2xi32>'; over groups of 3 devices its shape is 'tensor<12x2xi32>'}}
  %2 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4x2xi32>) -> tensor<8x2xi32>
  // expected-error@+1 {{'stablehlo.all_gather' has groups without devices}}
  %3 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<-1> : tensor<1x2xi64>} : (tensor<4x2xi32>) -> tensor<8x2xi32>
  // expected-error@+1 {{'stablehlo.collective_permute' names number 3; here are numbers 0 to 2}}
  %4 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 3]]> : tensor<1x2xi64>} : (tensor<4x2xi32>) -> tensor<4x2xi32>
  return
}
func.func @shapes(%x: tensor<4x2xi32>) {
  "interpreter.run_parallel"(%x, %x, %x) {programs = [[@f], [@f], [@f]]} : (tensor<4x2xi32>, tensor<4x2xi32>, tensor<4x2xi32>) -> ()
  return
}

// -----

func.func @f(%x: tuple<tensor<i32>>) {
  return
}
func.func @tuple(%x: tuple<tensor<i32>>) {
  // expected-error@+1 {{'interpreter.run_parallel' passes a value of type 'tuple<tensor<i32>>'; only tensors of fixed shape are passed on}}
  "interpreter.run_parallel"(%x) {programs = [[@f]]} : (tuple<tensor<i32>>) -> ()
  return
}

// -----

func.func private @inner(%x: tensor<i32>) -> tensor<i32> {
  // expected-error@+1 {{'stablehlo.while' where devices run different programs has no core form yet}}
  %0 = stablehlo.while(%a = %x) : tensor<i32>
  cond {
    %n = stablehlo.constant dense<9> : tensor<i32>
    %c = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s = stablehlo.add %a, %a : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }
  return %0 : tensor<i32>
}
func.func @f(%x: tensor<i32>) -> tensor<i32> {
  %0 = func.call @inner(%x) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @g() {
  return
}
func.func @idle(%x: tensor<i32>) {
  %0 = "interpreter.run_parallel"(%x) {programs = [[@f, @g]]} : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f() {
  return
}
func.func @inner() {
  // expected-error@+1 {{'interpreter.run_parallel' within a program that it runs has no core form yet}}
  "interpreter.run_parallel"() {programs = [[@f]]} : () -> ()
  return
}
func.func @g() {
  func.call @inner() : () -> ()
  return
}
func.func @called() {
  "interpreter.run_parallel"() {programs = [[@g]]} : () -> ()
  return
}

// -----

func.func @feed() -> tensor<i32> {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  // expected-error@+1 {{'interpreter.print' in a function of the infeed queue has no core form yet}}
  interpreter.print %0 : tensor<i32>
  return %0 : tensor<i32>
}
func.func @f(%token: !stablehlo.token) -> tensor<i32> {
  %0:2 = "stablehlo.infeed"(%token) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  return %0#0 : tensor<i32>
}
func.func @printing_feed() {
  %token = stablehlo.create_token : !stablehlo.token
  %0 = "interpreter.run_parallel"(%token) {infeed = [@feed], programs = [[@f]]} : (!stablehlo.token) -> tensor<i32>
  return
}

// -----

func.func @f(%x: tensor<2xi32>, %token: !stablehlo.token) {
  %p = stablehlo.constant dense<true> : tensor<i1>
  "stablehlo.if"(%p) ({
    // expected-error@+1 {{'stablehlo.send' in a loop or a branch of a program has no core form yet}}
    %0 = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}
func.func @branch(%x: tensor<2xi32>) {
  %token = stablehlo.create_token : !stablehlo.token
  "interpreter.run_parallel"(%x, %token) {programs = [[@f]]} : (tensor<2xi32>, !stablehlo.token) -> ()
  return
}

// -----

func.func @f(%token: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %1 = "stablehlo.send"(%0#0, %0#1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func @itself() {
  %token = stablehlo.create_token : !stablehlo.token
  // expected-error@+1 {{the programs of 'interpreter.run_parallel' wait for one another for ever}}
  "interpreter.run_parallel"(%token) {programs = [[@f]]} : (!stablehlo.token) -> ()
  return
}
