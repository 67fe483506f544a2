// RUN: graph-opt --promote-state --split-input-file --verify-diagnostics %s

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @g(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expects 'func.call' to be expanded before state is promoted}}
  %y = call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
