// The joint graph of a step: what is decided for the gradients.

// DEFINE: %{step} = graph-opt --import --train-step=amp=bf16 --autodiff --promote-state --canonicalize --cse %S/Inputs/step.mlir
// RUN: %{step} --amp --verify-phase=phase=amp | sed -n '/func.func @step/,$p' > %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// One copy of the weight, for two products forwards and their four gradients; f32
// for the region and its gradient.
// RUN: grep -c 'graph.cast .*tensor<8x8xf32> -> tensor<8x8xbf16>' %t.mlir | FileCheck %s --check-prefix=ONE
// ONE: {{^}}1{{$}}
// CHECK:     %[[W:.*]] = graph.get @w
// CHECK:     %[[LOW:.*]] = graph.cast %[[W]] : tensor<8x8xf32> -> tensor<8x8xbf16>
// CHECK:     %[[X:.*]] = graph.cast %arg0 : tensor<4x8xf32> -> tensor<4x8xbf16>
// CHECK:     graph.linear %[[X]], %[[LOW]], %{{.*}}
// CHECK:     graph.layer_norm {{.*}} {graph.precision = f32} : tensor<4x8xf32>, tensor<8xf32>
// CHECK:     graph.linear %{{.*}}, %[[LOW]], %{{.*}}
// CHECK:     graph.linear %{{.*}}, %[[W]] {graph.precision = f32} : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
// CHECK:     graph.tanh {{.*}} {graph.precision = f32} : tensor<4x8xf32>
// CHECK:     graph.mse_loss {{.*}} {graph.precision = f32} : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<f32>
// The gradient of the region.
// CHECK:     graph.dot_general %{{.*}}, %[[W]] {{.*}} {graph.precision = f32} : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
// CHECK:     graph.dot_general {{.*}} {graph.precision = f32} : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<8x8xf32>
// Those of the second and the first layer.
// CHECK:     graph.dot_general %[[G:.*]], %[[LOW]] {{.*}} : tensor<4x8xbf16>, tensor<8x8xbf16>
// CHECK:     graph.dot_general %[[G]], %{{.*}} : tensor<4x8xbf16>, tensor<4x8xbf16> -> tensor<8x8xf32>
// CHECK:     graph.rsqrt {{.*}} {graph.precision = f32} : tensor<4xf32>
// CHECK:     graph.dot_general %{{.*}}, %[[X]] {{.*}} : tensor<4x8xbf16>, tensor<4x8xbf16> -> tensor<8x8xf32>
// CHECK-NOT: graph.dot_general
// The update.
// CHECK:     graph.set @w, %{{.*}} : tensor<8x8xf32>

// In either order with Fuse the step does the same, bit for bit, over five steps,
// and near what it does in f32.
// RUN: %{step} --fuse --amp --verify-phase=phase=fuse -o %t.first.mlir
// RUN: graph-opt --verify-phase=phase=amp %t.first.mlir -o /dev/null
// RUN: %{step} --amp --fuse -o %t.second.mlir
// RUN: %{step} --amp -o %t.plain.mlir
// DEFINE: %{same} = --function=step --random-inputs=1 --steps=5
// RUN: graph-interpret %t.first.mlir --against=%t.second.mlir %{same} --rtol=0 --atol=0
// RUN: graph-interpret %t.first.mlir --against=%t.plain.mlir %{same} --rtol=0 --atol=0
// RUN: %{step} -o %t.f32.mlir
// RUN: graph-interpret %t.first.mlir --against=%t.f32.mlir %{same} --rtol=3e-2 --atol=3e-2
// RUN: not graph-interpret %t.first.mlir --against=%t.f32.mlir %{same} --rtol=1e-5 --atol=1e-6
// RUN: graph-opt --import --train-step=amp=f16 --autodiff --promote-state --canonicalize --cse --fuse --amp=dtype=f16 %S/Inputs/step.mlir -o %t.f16.mlir
// RUN: graph-opt --verify-phase=phase=amp %t.f16.mlir | graph-opt --verify-phase=phase=fuse -o /dev/null
