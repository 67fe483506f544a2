// Functions that a plan can get wrong: one tensor in two places, state read after
// its update, values that loops exchange.
module @hazards {
  graph.variable @a : tensor<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  graph.variable @b : tensor<4xf32> = dense<[5.0, -6.0, 7.0, -8.0]> : tensor<4xf32>
  graph.variable @n : tensor<i64> = dense<3> : tensor<i64>

  // An input, a constant, a value twice, nothing at all; an argument unused.
  func.func @outputs(%unused: tensor<2xf32>, %x: tensor<4xf32>, %e: tensor<0x3xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xi64>, tensor<0x3xf32>, tensor<0x3xf32>, tensor<4xf32>) {
    %y = graph.relu %x : tensor<4xf32>
    %c = graph.constant dense<[7, -7]> : tensor<2xi64>
    %f = graph.relu %e : tensor<0x3xf32>
    return %x, %y, %y, %c, %e, %f, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xi64>, tensor<0x3xf32>, tensor<0x3xf32>, tensor<4xf32>
  }

  // The old value, the new one, and what is made of the old one after the update.
  func.func @update(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>) {
    %a = graph.get @a : tensor<4xf32>
    %n = graph.get @n : tensor<i64>
    %one = graph.constant dense<1> : tensor<i64>
    %m = graph.add %n, %one : tensor<i64>
    %new = graph.add %a, %x : tensor<4xf32>
    graph.set @a, %new : tensor<4xf32>
    graph.set @n, %m : tensor<i64>
    %later = graph.mul %a, %new : tensor<4xf32>
    return %a, %new, %later, %n : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>
  }

  // Each new value is made of both old ones.
  func.func @cross() -> tensor<4xf32> {
    %a = graph.get @a : tensor<4xf32>
    %b = graph.get @b : tensor<4xf32>
    %s = graph.add %a, %b : tensor<4xf32>
    %d = graph.sub %a, %b : tensor<4xf32>
    graph.set @a, %s : tensor<4xf32>
    graph.set @b, %d : tensor<4xf32>
    return %a : tensor<4xf32>
  }

  func.func @exchange() {
    %a = graph.get @a : tensor<4xf32>
    %b = graph.get @b : tensor<4xf32>
    graph.set @a, %b : tensor<4xf32>
    graph.set @b, %a : tensor<4xf32>
    return
  }

  // Carried values change places, one stays, one starts from state that changes.
  func.func @loop(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %a = graph.get @a : tensor<4xf32>
    %b = graph.get @b : tensor<4xf32>
    %r:4 = graph.for %i = 5 carry(%p = %x, %q = %a, %s = %b, %t = %b) : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32> {
      %k = graph.cast %i : tensor<i64> -> tensor<f32>
      %w = graph.broadcast %k dims = [] : tensor<f32> -> tensor<4xf32>
      %u = graph.add %s, %w : tensor<4xf32>
      %v = graph.mul %u, %x : tensor<4xf32>
      graph.yield %q, %p, %v, %t : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    }
    graph.set @b, %r#2 : tensor<4xf32>
    return %r#0, %r#1, %r#2, %r#3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }

  // A label that may be out of range is read after the update in the text.
  func.func @failing(%x: tensor<4x3xf32>, %y: tensor<4xi64>) -> tensor<f32> {
    %a = graph.get @a : tensor<4xf32>
    %new = graph.add %a, %a : tensor<4xf32>
    graph.set @a, %new : tensor<4xf32>
    %l = graph.cross_entropy %x, %y : tensor<4x3xf32>, tensor<4xi64> -> tensor<f32>
    return %l : tensor<f32>
  }

  // One kernel copies the bytes of i8 and of ui8.
  func.func @bytes(%x: tensor<4xi8>) -> (tensor<4xui8>, tensor<2xi8>) {
    %c = graph.cast %x : tensor<4xi8> -> tensor<4xui8>
    %r = graph.reshape %x : tensor<4xi8> -> tensor<2x2xi8>
    %s = graph.reduce_sum %r axes = [1] : tensor<2x2xi8> -> tensor<2xi8>
    return %c, %s : tensor<4xui8>, tensor<2xi8>
  }
}
