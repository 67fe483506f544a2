// f16, bf16, f64, integers and conversions between them.
func.func @halves(%x: tensor<37x19xf32>) -> (tensor<37x19xf16>, tensor<37x19xbf16>, tensor<37x19xf64>, tensor<37x19xi8>) {
  %h = graph.cast %x : tensor<37x19xf32> -> tensor<37x19xf16>
  %b = graph.cast %x : tensor<37x19xf32> -> tensor<37x19xbf16>
  %th = graph.tanh %h : tensor<37x19xf16>
  %eb = graph.exp %b : tensor<37x19xbf16>
  %mh = graph.mul %th, %h : tensor<37x19xf16>
  %w = graph.cast %x : tensor<37x19xf32> -> tensor<37x19xf64>
  %s = graph.sin %w : tensor<37x19xf64>
  %hundred = graph.constant dense<100.0> : tensor<f32>
  %wide = graph.broadcast %hundred dims = [] : tensor<f32> -> tensor<37x19xf32>
  %big = graph.mul %x, %wide : tensor<37x19xf32>
  %i = graph.cast %big : tensor<37x19xf32> -> tensor<37x19xi8>
  return %mh, %eb, %s, %i : tensor<37x19xf16>, tensor<37x19xbf16>, tensor<37x19xf64>, tensor<37x19xi8>
}
