// RUN: graph-opt --import --train-step --autodiff --promote-state --canonicalize --cse --fuse --fuse-report %s -o /dev/null 2>&1 | FileCheck %s

// A softmax or a layer norm and its gradient are one kernel; the other adds up the
// loss that is asked for here. A cross entropy is one kernel, its gradient another,
// and two small ones count the labels that are not ignored.

// CHECK:      @dsoftmax: {{[0-9]+}} ops in 2 kernels
// CHECK-NEXT:   kernel 0: {{.*}}: graph.softmax at {{.*}} (gradient of graph.softmax)
// CHECK-NEXT:   kernel 1: {{.*}}: graph.mul at {{[^,]*}}, graph.reduce_sum at {{[^,]*}}
// CHECK:      @dnorm: {{[0-9]+}} ops in 2 kernels
// CHECK-NEXT:   kernel 0: {{.*}}: graph.layer_norm at {{.*}} (gradient of graph.layer_norm)
// CHECK-NEXT:   kernel 1: {{.*}}: graph.reduce_sum at {{[^,]*}}
// CHECK:      @dentropy: {{[0-9]+}} ops in 4 kernels
// CHECK-NEXT:   kernel 0: {{.*}}: graph.cross_entropy
// CHECK-NEXT:   kernel 1: 9216 bytes
// CHECK-NEXT:   kernel 2: 1028 bytes
// CHECK-NEXT:   kernel 3: {{.*}} (gradient of graph.cross_entropy)

func.func private @softmax(%x: tensor<1024x256xf32>, %g: tensor<1024x256xf32>) -> tensor<f32> {
  %y = graph.softmax %x axis = 1 : tensor<1024x256xf32>
  %z = graph.mul %y, %g : tensor<1024x256xf32>
  %l = graph.reduce_sum %z axes = [0, 1] : tensor<1024x256xf32> -> tensor<f32>
  return %l : tensor<f32>
}
graph.grad @dsoftmax of @softmax inputs = [0]
func.func private @norm(%x: tensor<1024x256xf32>, %w: tensor<256xf32>, %b: tensor<256xf32>, %g: tensor<1024x256xf32>) -> tensor<f32> {
  %y = graph.layer_norm %x, %w, %b normalized_rank = 1 eps = 1.0e-5 : tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>
  %z = graph.mul %y, %g : tensor<1024x256xf32>
  %l = graph.reduce_sum %z axes = [0, 1] : tensor<1024x256xf32> -> tensor<f32>
  return %l : tensor<f32>
}
graph.grad @dnorm of @norm inputs = [0, 1, 2]
func.func private @entropy(%x: tensor<1024x256xf32>, %t: tensor<1024xi64>) -> tensor<f32> {
  %l = graph.cross_entropy %x, %t : tensor<1024x256xf32>, tensor<1024xi64> -> tensor<f32>
  return %l : tensor<f32>
}
graph.grad @dentropy of @entropy inputs = [0]
