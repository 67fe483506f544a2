// RUN: %python -c "n = 200; print('func.func @f(' + ', '.join(f'%%a{i}: tensor<2xf32>' for i in range(n)) + ') -> tensor<400xf32> {'); print('%%c = graph.concat ' + ', '.join(f'%%a{i}' for i in range(n)) + ' axis = 0 : ' + ', '.join(['tensor<2xf32>'] * n) + ' -> tensor<400xf32>'); print('return %%c : tensor<400xf32>}')" > %t.mlir
// RUN: graph-opt --fuse %t.mlir | FileCheck %s

// 200 inputs are joined 48 at a time, then the five results.

// CHECK:         tensor<2xf32>) -> tensor<96xf32>
// CHECK-COUNT-3: graph.concat {{.*}} -> tensor<96xf32>
// CHECK:         graph.concat {{.*}} -> tensor<16xf32>
// CHECK:         graph.concat {{.*}} : tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<96xf32>, tensor<16xf32> -> tensor<400xf32>
