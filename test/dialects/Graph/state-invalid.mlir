// RUN: graph-opt --split-input-file --verify-diagnostics %s

// One module for each constraint of variables, training and regions.

// expected-error @+1 {{'graph.variable' op expects a static tensor of a supported element type, but got 'tensor<?xf32>'}}
graph.variable @variable_c1 : tensor<?xf32> = #graph.zeros

// -----

// expected-error @+1 {{'graph.variable' op expects a static tensor of a supported element type, but got 'tensor<4xi16>'}}
graph.variable @variable_c1_element : tensor<4xi16> = #graph.zeros

// -----

// expected-error @+1 {{'graph.variable' op expects a static tensor of a supported element type, but got 'f32'}}
graph.variable @variable_c1_scalar : f32 = #graph.zeros

// -----

// expected-error @+1 {{'graph.variable' op expects a graph initializer (#graph.zeros, ...) or elements, but got 1 : i64}}
graph.variable @variable_c2_kind : tensor<4xf32> = 1

// -----

// expected-error @+1 {{'graph.variable' op expects initial elements of type 'tensor<4xf32>', but got 'tensor<3xf32>'}}
graph.variable @variable_c2_elements : tensor<4xf32> = dense<1.0> : tensor<3xf32>

// -----

// expected-error @+1 {{'graph.variable' op expects a float type for a random initializer, but got 'tensor<4xi32>'}}
graph.variable @variable_c2_random : tensor<4xi32> = #graph.uniform<0.0, 1.0>

// -----

// expected-error @+1 {{'graph.variable' op expects low to be at most high, but got 1.0 and 0.5}}
graph.variable @variable_c2_uniform : tensor<4xf32> = #graph.uniform<1.0, 0.5>

// -----

// expected-error @+1 {{'graph.variable' op expects std to be 0 or more, but got -1.0}}
graph.variable @variable_c2_normal : tensor<4xf32> = #graph.normal<0.0, -1.0>

// -----

// expected-error @+1 {{'graph.variable' op expects zero_row to be a row of 'tensor<4x2xf32>', but got 4}}
graph.variable @variable_c2_zero_row : tensor<4x2xf32> = #graph.normal<0.0, 1.0, zero_row = 4>

// -----

// expected-error @+1 {{'graph.variable' op expects zero_row to be a row of 'tensor<f32>', but got 0}}
graph.variable @variable_c2_zero_row_rank : tensor<f32> = #graph.normal<0.0, 1.0, zero_row = 0>

// -----

// expected-error @+1 {{'graph.variable' op expects an i64 type for #graph.seed, but got 'tensor<3xi32>'}}
graph.variable @variable_c2_seed : tensor<3xi32> = #graph.seed

// -----

// expected-error @+1 {{'graph.variable' op expects an initial value of 'ui8', but got 256.0}}
graph.variable @variable_c2_range : tensor<4xui8> = #graph.constant<256>

// -----

// expected-error @+1 {{'graph.variable' op expects an initial value of 'i64', but got 0.5}}
graph.variable @variable_c2_integer : tensor<4xi64> = #graph.constant<0.5>

// -----

// expected-error @+1 {{'graph.variable' op expects an initial value of 'i1', but got -1.0}}
graph.variable @variable_c2_bool : tensor<4xi1> = #graph.constant<-1>

// -----

// expected-error @+1 {{expects a relative path without '..', but got 'a/../../b.npy'}}
graph.variable @variable_c2_file_parent : tensor<4xf32> = #graph.file<"a/../../b.npy">

// -----

// expected-error @+1 {{expects a relative path without '..', but got '/b.npy'}}
graph.variable @variable_c2_file_absolute : tensor<4xf32> = #graph.file<"/b.npy">

// -----

// expected-error @+1 {{expects a relative path without '..', but got ''}}
graph.variable @variable_c2_file_empty : tensor<4xf32> = #graph.file<"">

// -----

// expected-error @+2 {{expects a finite number}}
// expected-error @+1 {{failed to parse}}
graph.variable @variable_c2_finite : tensor<4xf32> = #graph.constant<1.0e400 : f64>

// -----

// expected-error @+1 {{'graph.variable' op expects a float type for a trainable variable, but got 'tensor<4xi64>'}}
graph.variable @variable_c3 : tensor<4xi64> = #graph.zeros trainable

// -----

// expected-error @+1 {{'graph.variable' op expects a matrix for a layout, but got 'tensor<4xf32>'}}
graph.variable @variable_c4 : tensor<4xf32> = #graph.zeros layout(<dim = 0, width = 2>)

// -----

// expected-error @+1 {{expects dim to be 0 or 1, but got 2}}
graph.variable @panels_dim : tensor<4x2xf32> = #graph.zeros layout(<dim = 2, width = 2>)

// -----

// expected-error @+1 {{expects width to be from 1 to 4096, but got 0}}
graph.variable @panels_width : tensor<4x2xf32> = #graph.zeros layout(<dim = 0, width = 0>)

// -----

// expected-note @+1 {{declared here}}
graph.variable @w : tensor<5x2xf32> = #graph.zeros layout(<dim = 0, width = 4>)
func.func @get_c1_layout() {
  // expected-error @+1 {{'graph.get' op expects type 'tensor<2x2x4xf32>' of variable @w, but got 'tensor<5x2xf32>'}}
  %w = graph.get @w : tensor<5x2xf32>
  return
}

// -----

func.func @variable_parent() {
  // expected-error @+1 {{'graph.variable' op expects parent op 'builtin.module'}}
  graph.variable @a : tensor<f32> = #graph.zeros
  return
}

// -----

func.func @get_c1_missing() {
  // expected-error @+1 {{'graph.get' op expects @w to name a graph.variable}}
  %0 = graph.get @w : tensor<4xf32>
  return
}

// -----

func.func private @f()

func.func @get_c1_kind() {
  // expected-error @+1 {{'graph.get' op expects @f to name a graph.variable}}
  %0 = graph.get @f : tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{declared here}}
graph.variable @w : tensor<3xf32> = #graph.zeros

func.func @get_c1_type() {
  // expected-error @+1 {{'graph.get' op expects type 'tensor<3xf32>' of variable @w, but got 'tensor<4xf32>'}}
  %0 = graph.get @w : tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{declared here}}
graph.variable @w : tensor<3xf32> = #graph.zeros

func.func @set_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.set' op expects type 'tensor<3xf32>' of variable @w, but got 'tensor<4xf32>'}}
  graph.set @w, %x : tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{'graph.train' op expects @loss to name a function}}
graph.train @train_c1_missing loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

// expected-note @+1 {{declared here}}
func.func private @loss() -> tensor<1xf32>
// expected-error @+1 {{'graph.train' op expects the first result of @loss to be a rank-0 float tensor, but got 'tensor<1xf32>'}}
graph.train @train_c1_result loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

// expected-note @+1 {{declared here}}
func.func private @loss()
// expected-error @+1 {{'graph.train' op expects the first result of @loss to be a rank-0 float tensor}}
graph.train @train_c1_no_result loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

func.func private @loss() -> tensor<f32>
// expected-error @+1 {{'graph.train' op expects an optimizer such as #graph.sgd<lr = 0.1>, but got #graph.zeros}}
graph.train @train_c2 loss(@loss) optimizer(#graph.zeros)

// -----

// expected-error @+1 {{expects a learning rate: #graph.sgd<lr = 0.1>}}
graph.train @sgd_lr loss(@loss) optimizer(#graph.sgd<momentum = 0.5>)

// -----

// expected-error @+1 {{expects lr to be 0 or more, but got -0.5}}
graph.train @sgd_lr_negative loss(@loss) optimizer(#graph.sgd<lr = -0.5>)

// -----

// expected-error @+1 {{expects momentum to be 0 or more, but got -0.5}}
graph.train @sgd_momentum loss(@loss) optimizer(#graph.sgd<lr = 0.5, momentum = -0.5>)

// -----

// expected-error @+1 {{expects weight_decay to be 0 or more, but got -0.5}}
graph.train @sgd_weight_decay loss(@loss) optimizer(#graph.sgd<lr = 0.5, weight_decay = -0.5>)

// -----

// expected-error @+1 {{expects momentum above 0 and no dampening with nesterov, but got momentum = 0.0, dampening = 0.0}}
graph.train @sgd_nesterov loss(@loss) optimizer(#graph.sgd<lr = 0.5, nesterov = true>)

// -----

// expected-error @+1 {{expects one of lr, momentum, dampening, weight_decay, nesterov, but got 'betas'}}
graph.train @sgd_field loss(@loss) optimizer(#graph.sgd<lr = 0.5, betas = 0.9>)

// -----

// expected-error @+1 {{expects a decimal number}}
graph.train @sgd_hex loss(@loss) optimizer(#graph.sgd<lr = 0x3FF0000000000000>)

// -----

// expected-error @+1 {{'lr' is given twice}}
graph.train @sgd_twice loss(@loss) optimizer(#graph.sgd<lr = 0.5, lr = 0.5>)

// -----

// expected-error @+1 {{expects beta1 to be 0 or more and below 1, but got 1}}
graph.train @adam_beta1 loss(@loss) optimizer(#graph.adam<beta1 = 1.0>)

// -----

// expected-error @+1 {{expects beta2 to be 0 or more and below 1, but got -0.5}}
graph.train @adam_beta2 loss(@loss) optimizer(#graph.adamw<beta2 = -0.5>)

// -----

// expected-error @+1 {{expects eps to be 0 or more, but got -1}}
graph.train @adam_eps loss(@loss) optimizer(#graph.adam<eps = -1>)

// -----

// expected-error @+1 {{expects one of lr, beta1, beta2, eps, weight_decay, amsgrad, but got 'momentum'}}
graph.train @adamw_field loss(@loss) optimizer(#graph.adamw<momentum = 0.9>)

// -----

// expected-error @+1 {{expects amsgrad to be true or false}}
graph.train @adam_amsgrad loss(@loss) optimizer(#graph.adam<amsgrad = 1>)

// -----

func.func private @loss() -> tensor<f32>
// expected-error @+1 {{'graph.train' op expects an optimizer such as #graph.sgd<lr = 0.1>, but got #graph.zeros}}
graph.train @train_c2_group loss(@loss) optimizer(#graph.adam) groups([#graph.param_group<[@w], #graph.zeros>])

// -----

func.func private @loss() -> tensor<f32>
// expected-error @+1 {{'graph.train' op expects groups such as #graph.param_group<[@fc.bias], #graph.sgd<lr = 0.1>>, but got "w"}}
graph.train @train_c3_kind loss(@loss) optimizer(#graph.adam) groups(["w"])

// -----

func.func private @loss() -> tensor<f32>
graph.variable @n : tensor<i64> = #graph.zeros
// expected-error @+1 {{'graph.train' op expects @n to name a float variable}}
graph.train @train_c3_type loss(@loss) optimizer(#graph.adam) groups([#graph.param_group<[@n], #graph.adam>])

// -----

func.func private @loss() -> tensor<f32>
graph.variable @w : tensor<f32> = #graph.zeros trainable
// expected-error @+1 {{'graph.train' op expects @w in one group only}}
graph.train @train_c3_twice loss(@loss) optimizer(#graph.adam) groups([#graph.param_group<[@w], #graph.adam>, #graph.param_group<[@w], #graph.adam>])

// -----

func.func private @loss() -> tensor<f32>
// expected-error @+1 {{'graph.train' op expects clip_norm to be above 0, but got 0.000000e+00}}
graph.train @train_c4_norm loss(@loss) optimizer(#graph.adam) clip_norm(0.0)

// -----

func.func private @loss() -> tensor<f32>
// expected-error @+1 {{'graph.train' op expects one of clip_norm and clip_value, but got both}}
graph.train @train_c4_both loss(@loss) optimizer(#graph.adam) clip_norm(1.0) clip_value(1.0)

// -----

// expected-error @+1 {{'graph.grad' op expects @loss to name a function}}
graph.grad @grad_c1 of @loss wrt(@w)

// -----

func.func private @loss() -> tensor<f32>
// expected-error @+1 {{'graph.grad' op expects @w to name a graph.variable}}
graph.grad @grad_c2_variable of @loss wrt(@w)

// -----

graph.variable @w : tensor<3xi64> = #graph.zeros
func.func private @loss() -> tensor<f32>
// expected-error @+1 {{'graph.grad' op expects @w to be a float variable, but got 'tensor<3xi64>'}}
graph.grad @grad_c2_float of @loss wrt(@w)

// -----

func.func private @loss(tensor<f32>) -> tensor<f32>
// expected-error @+1 {{'graph.grad' op expects inputs to be argument numbers of loss below 1, but got 1}}
graph.grad @grad_c2_input of @loss inputs = [1]

// -----

func.func private @loss(tensor<i64>) -> tensor<f32>
// expected-error @+1 {{'graph.grad' op expects argument 0 to be a float tensor, but got 'tensor<i64>'}}
graph.grad @grad_c2_input_float of @loss inputs = [0]

// -----

func.func private @loss() -> tensor<f32>
// expected-error @+1 {{'graph.grad' op expects at least one gradient to be asked for}}
graph.grad @grad_c3_none of @loss

// -----

graph.variable @w : tensor<3xf32> = #graph.zeros
func.func private @loss() -> tensor<f32>
// expected-error @+1 {{'graph.grad' op asks for the gradient of @w twice}}
graph.grad @grad_c3_twice of @loss wrt(@w, @w)

// -----

func.func private @loss(tensor<f32>) -> tensor<f32>
// expected-error @+1 {{'graph.grad' op asks for the gradient of argument 0 twice}}
graph.grad @grad_c3_input_twice of @loss inputs = [0, 0]

// -----

func.func @value_and_grad_c1(%x: tensor<f32>) {
  // expected-error @+1 {{'graph.value_and_grad' op expects @loss to name a function}}
  %0:2 = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func private @loss(tensor<2xf32>) -> tensor<f32>
func.func @value_and_grad_c2(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.value_and_grad' op expects @w to name a graph.variable}}
  %0:2 = graph.value_and_grad @loss(%x) wrt(@w) : (tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>)
  return
}

// -----

func.func private @loss(tensor<2xf32>) -> tensor<f32>
func.func @value_and_grad_c3(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.value_and_grad' op expects at least one gradient to be asked for}}
  %0 = graph.value_and_grad @loss(%x) : (tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func private @loss(tensor<2xf32>) -> tensor<f32>
func.func @value_and_grad_c4(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.value_and_grad' op expects type '(tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>)', but got '(tensor<2xf32>) -> (tensor<f32>, tensor<3xf32>)'}}
  %0:2 = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<2xf32>) -> (tensor<f32>, tensor<3xf32>)
  return
}

// -----

func.func @for_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.for' op expects count to be 0 or more, but got -1}}
  %0 = graph.for %i = -1 carry(%a = %x) : tensor<4xf32> {
    graph.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @for_c2_argument(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.for' op expects block argument 0 of type 'tensor<i64>', but got 'tensor<i32>'}}
  %0 = "graph.for"(%x) <{count = 1 : i64}> ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    graph.yield %a : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @for_c2_arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.for' op expects 2 block arguments, but got 1}}
  %0 = "graph.for"(%x) <{count = 1 : i64}> ({
  ^bb0(%i: tensor<i64>):
    graph.yield %x : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @for_c2_yield(%x: tensor<4xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{'graph.for' op expects yielded value 0 of type 'tensor<4xf32>', but got 'tensor<3xf32>'}}
  %0 = graph.for %i = 1 carry(%a = %x) : tensor<4xf32> {
    graph.yield %y : tensor<3xf32>
  }
  return
}

// -----

func.func @for_c2_yields(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.for' op expects 1 yielded values, but got 0}}
  %0 = graph.for %i = 1 carry(%a = %x) : tensor<4xf32> {
  }
  return
}

// -----

func.func @for_types(%x: tensor<4xf32>) {
  // expected-error @+1 {{custom op 'graph.for' 1 operands present, but expected 2}}
  %0 = graph.for %i = 1 carry(%a = %x) : tensor<4xf32>, tensor<4xf32> {
    graph.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @for_empty_block(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.for' op expects a non-empty block}}
  "graph.for"() <{count = 1 : i64}> ({
  ^bb0(%i: tensor<i64>):
  }) : () -> ()
  return
}

// -----

func.func @for_no_block() {
  // expected-error @+1 {{'graph.for' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "graph.for"() <{count = 1 : i64}> ({}) : () -> ()
  return
}

// -----

func.func @fused_c1_argument(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.fused' op expects block argument 0 of type 'tensor<4xf32>', but got 'tensor<3xf32>'}}
  %0 = "graph.fused"(%x) ({
  ^bb0(%a: tensor<3xf32>):
    graph.yield %a : tensor<3xf32>
  }) : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @fused_c1_yield(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.fused' op expects yielded value 0 of type 'tensor<3xf32>', but got 'tensor<4xf32>'}}
  %0 = graph.fused(%a = %x) : (tensor<4xf32>) -> tensor<3xf32> {
    graph.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @fused_isolated(%x: tensor<4xf32>) {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = graph.fused() : () -> tensor<4xf32> {
    // expected-error @+1 {{'graph.yield' op using value defined outside the region}}
    graph.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @yield_parent(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.yield' op expects parent op to be one of 'graph.for, graph.fused, graph.checkpoint, graph.precision'}}
  graph.yield %x : tensor<4xf32>
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros trainable
func.func @loss() -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @+1 {{'graph.train' op expects accumulate to be at least 1, but got 0}}
graph.train @train_c5 loss(@loss) optimizer(#graph.sgd<lr = 0.1>) accumulate(0)

// -----

graph.variable @w : tensor<f32> = #graph.zeros trainable
func.func @loss() -> (tensor<f32>, tensor<1xf32>) {
  %w = graph.get @w : tensor<f32>
  %n = graph.constant dense<1.0> : tensor<1xf32>
  return %w, %n : tensor<f32>, tensor<1xf32>
}
// expected-error @+1 {{'graph.train' op expects a weighted loss function to return a sum and its weight, two results of type 'tensor<f32>', but got '() -> (tensor<f32>, tensor<1xf32>)'}}
graph.train @train_c6 loss(@loss) optimizer(#graph.sgd<lr = 0.1>) weighted

// -----

func.func @precision_c1(%x: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'graph.precision' op expects yielded values of the types of its results}}
  %0 = graph.precision f32 : tensor<3xf32> {
    graph.yield %x : tensor<4xf32>
  }
  return %0 : tensor<3xf32>
}

// -----

func.func @precision_c2(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.precision' op expects type f32, but got 'f16'}}
  %0 = graph.precision f16 : tensor<4xf32> {
    graph.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @checkpoint_c1(%x: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'graph.checkpoint' op expects yielded values of the types of its results}}
  %0 = graph.checkpoint : tensor<3xf32> {
    graph.yield %x : tensor<4xf32>
  }
  return %0 : tensor<3xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-note @+1 {{defined here}}
func.func private @f_vjp(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}
func.func @custom_vjp_c1(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.custom_vjp' op expects vjp of type '(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>', but got '(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = graph.custom_vjp @f(%x) vjp(@f_vjp) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @custom_vjp_c1_missing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.custom_vjp' op expects function to name a function with a body, but got @nothing}}
  %0 = graph.custom_vjp @nothing(%x) vjp(@nothing) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @custom_c1(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.custom' op expects the name of a host function}}
  %0 = graph.custom ""(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @custom_c2(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.custom' op expects reference to name a function with a body, but got @nothing}}
  %0 = graph.custom "f"(%x) reference(@nothing) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @custom_c3(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.custom' op expects flops of 0 or more, but got -1}}
  %0 = graph.custom "f"(%x) flops = -1 : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
