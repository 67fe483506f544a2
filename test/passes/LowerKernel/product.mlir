// RUN: graph-opt --fuse --lower-kernel=vector-bits=256 --canonicalize --cse --split-input-file %s | FileCheck %s

// The weight lies along k, and is packed into a panel of two vectors: its rows
// are turned in registers. The bias is added to the sums there.

// CHECK-LABEL: func.func private @linear_0
// CHECK-SAME:  (%[[X:.*]]: memref<240xf32>, %[[W:.*]]: memref<480xf32>, %[[B:.*]]: memref<16xf32>, %[[S:.*]]: memref<1920xi8>, %[[Y:.*]]: memref<128xf32>)
// CHECK:       %[[P:.*]] = memref.view %[[S]]
// CHECK:       vector.load %[[W]]
// CHECK:       vector.shuffle
// CHECK:       vector.store {{.*}}, %[[P]]
// CHECK:       scf.for {{.*}} iter_args
// CHECK-NOT:     vector.load %[[W]]
// CHECK:         vector.load %[[P]]
// CHECK:         vector.load %[[P]]
// CHECK:         memref.load %[[X]]
// CHECK:         vector.broadcast
// CHECK:         math.fma {{.*}} : vector<8xf32>
// CHECK:         scf.yield
// CHECK-NEXT:  } {llvm.loop_annotation = #[[NO_UNROLL:.*]]}
// CHECK:       vector.load %[[B]]
// CHECK:       arith.addf {{.*}} : vector<8xf32>
// CHECK:       vector.store {{.*}}, %[[Y]]
func.func @linear(%x: tensor<8x30xf32>, %w: tensor<16x30xf32>, %b: tensor<16xf32>) -> tensor<8x16xf32> {
  %y = graph.linear %x, %w, %b : tensor<8x30xf32>, tensor<16x30xf32>, tensor<16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// Both factors lie ready and are small: no workspace. 8 rows are two tiles of 4.

// CHECK-LABEL: func.func private @dot_general_0(%{{.*}}: memref<240xf32>, %{{.*}}: memref<480xf32>, %{{.*}}: memref<128xf32>)
// CHECK:       arith.constant 2 : index
// CHECK-COUNT-8: math.fma
// CHECK-NOT:   math.fma
func.func @plain(%x: tensor<8x30xf32>, %w: tensor<30x16xf32>) -> tensor<8x16xf32> {
  %y = graph.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : tensor<8x30xf32>, tensor<30x16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// Many rows: the right factor is packed, 128 * 48 numbers, the left one read in
// place. 600 rows are 100 tiles of 6, 48 columns three panels.

// CHECK-LABEL: func.func private @dot_general_0
// CHECK-SAME:  (%[[X:.*]]: memref<76800xf32>, %[[W:.*]]: memref<6144xf32>, %[[S:.*]]: memref<24576xi8>, %[[Y:.*]]: memref<28800xf32>)
// CHECK:       %[[P:.*]] = memref.view %[[S]]
// CHECK:       vector.load %[[W]]
// CHECK-NOT:   vector.shuffle
// CHECK:       vector.store {{.*}}, %[[P]]
// CHECK:       scf.parallel
// CHECK:       scf.for {{.*}} iter_args
// CHECK:         vector.load %[[P]]
// CHECK:         memref.load %[[X]]
// CHECK-COUNT-12: math.fma {{.*}} : vector<8xf32>
// CHECK-NOT:   math.fma
func.func @panels(%x: tensor<600x128xf32>, %w: tensor<128x48xf32>) -> tensor<600x48xf32> {
  %y = graph.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : tensor<600x128xf32>, tensor<128x48xf32> -> tensor<600x48xf32>
  return %y : tensor<600x48xf32>
}

// -----

// A few rows of input against a large weight: the input is packed and vectors
// run along its 16 rows, so the weight is read in place. Finished tiles are
// turned on their way out.

// CHECK-LABEL: func.func private @linear_0
// CHECK-SAME:  (%[[X:.*]]: memref<1600xf32>, %[[W:.*]]: memref<60000xf32>, %[[S:.*]]: memref<6400xi8>, %[[Y:.*]]: memref<9600xf32>)
// CHECK:       scf.for {{.*}} iter_args
// CHECK:         vector.load
// CHECK:         memref.load %[[W]]
// CHECK-COUNT-12: math.fma
// CHECK:         scf.yield
// CHECK:       vector.shuffle
// CHECK:       vector.maskedstore %[[Y]]
func.func @across(%x: tensor<16x100xf32>, %w: tensor<600x100xf32>) -> tensor<16x600xf32> {
  %y = graph.linear %x, %w : tensor<16x100xf32>, tensor<600x100xf32> -> tensor<16x600xf32>
  return %y : tensor<16x600xf32>
}

// -----

// One row: the weight is read once, and turned as it is.

// CHECK-LABEL: func.func private @linear_0
// CHECK-SAME:  (%[[X:.*]]: memref<96xf32>, %[[W:.*]]: memref<9216xf32>, %[[Y:.*]]: memref<96xf32>)
// CHECK:       scf.for {{.*}} iter_args
// CHECK:         vector.load %[[W]]
// CHECK:         vector.shuffle
// CHECK-COUNT-8: math.fma
// CHECK-NOT:   math.fma
func.func @vector_by_rows(%x: tensor<1x96xf32>, %w: tensor<96x96xf32>) -> tensor<1x96xf32> {
  %y = graph.linear %x, %w : tensor<1x96xf32>, tensor<96x96xf32> -> tensor<1x96xf32>
  return %y : tensor<1x96xf32>
}

// -----

// One row by a large factor that lies along the columns: 8 terms at a time, so
// that whole lines of memory are read. The sums wait in scratch memory.

// CHECK-LABEL: func.func private @dot_general_0
// CHECK-SAME:  (%[[X:.*]]: memref<512xf32>, %[[W:.*]]: memref<262144xf32>, %[[Y:.*]]: memref<512xf32>)
// CHECK:       memref.alloca
// CHECK:       scf.for
// CHECK:         scf.if
// CHECK:           vector.load
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           vector.load %[[W]]
// CHECK:         scf.if
// CHECK:           vector.store {{.*}}, %[[Y]]
// CHECK:         } else {
func.func @vector_by_columns(%x: tensor<1x512xf32>, %w: tensor<512x512xf32>) -> tensor<1x512xf32> {
  %y = graph.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : tensor<1x512xf32>, tensor<512x512xf32> -> tensor<1x512xf32>
  return %y : tensor<1x512xf32>
}

// -----

// A weight of two columns and its update: vectors run along its 30 rows, the two
// columns of sums are interleaved, and 60 elements in a row are updated, the last
// four of them masked. Two terms take no loop.

// CHECK-LABEL: func.func private @dot_general_0
// CHECK-SAME:  (%{{.*}}: memref<60xf32>, %{{.*}}: memref<4xf32>, %[[W:.*]]: memref<60xf32>, %[[Y:.*]]: memref<60xf32>)
// CHECK-NOT:   scf.for
// CHECK-COUNT-16: math.fma {{.*}} : vector<8xf32>
// CHECK-NOT:   math.fma
// CHECK:       vector.shuffle {{.*}} [0, 8, 1, 9, 2, 10, 3, 11]
// CHECK:       vector.shuffle {{.*}} [4, 12, 5, 13, 6, 14, 7, 15]
// CHECK-COUNT-7: vector.store {{.*}}, %[[Y]]
// CHECK:       vector.maskedstore %[[Y]]
// CHECK-NOT:   vector.{{.*}}store
func.func @narrow(%g: tensor<2x30xf32>, %x: tensor<2x2xf32>, %w: tensor<30x2xf32>) -> tensor<30x2xf32> {
  %p = graph.dot_general %g, %x batching = [] x [] contracting = [0] x [0] : tensor<2x30xf32>, tensor<2x2xf32> -> tensor<30x2xf32>
  %y = graph.sub %w, %p : tensor<30x2xf32>
  return %y : tensor<30x2xf32>
}

// -----

// Of 11 columns the last vector starts at the fourth. The weight may be the
// result's memory: of each row both vectors are loaded before one is stored.

// CHECK-LABEL: func.func private @dot_general_0
// CHECK-SAME:  (%{{.*}}: memref<150xf32>, %{{.*}}: memref<550xf32>, %[[W:.*]]: memref<33xf32>, %[[Y:.*]]: memref<33xf32>)
// CHECK:       scf.for {{.*}} iter_args
// CHECK-NOT:   masked
// CHECK:       vector.load %[[W]]
// CHECK:       vector.load %[[W]][%c3]
// CHECK:       vector.store {{.*}}, %[[Y]]
// CHECK:       vector.store {{.*}}, %[[Y]][%c3]
// CHECK:       vector.load %[[W]][%c11]
// CHECK-NOT:   masked
func.func @slides(%a: tensor<3x50xf32>, %b: tensor<50x11xf32>, %w: tensor<3x11xf32>) -> tensor<3x11xf32> {
  %p = graph.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : tensor<3x50xf32>, tensor<50x11xf32> -> tensor<3x11xf32>
  %y = graph.sub %w, %p : tensor<3x11xf32>
  return %y : tensor<3x11xf32>
}

// -----

// The factor of the vectors is large, and all rows that meet it are one block:
// each block packs its part, into memory of its thread. No workspace.

// CHECK-LABEL: func.func private @dot_general_0
// CHECK-SAME:  (%{{.*}}: memref<76800xf32>, %[[W:.*]]: memref<460800xf32>, %[[Y:.*]]: memref<86400xf32>)
// CHECK:       scf.parallel
// CHECK:         %[[P:.*]] = memref.alloca() {{.*}} : memref<{{.*}}xf32>
// CHECK:         vector.load %[[W]]
// CHECK:         vector.store {{.*}}, %[[P]]
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           vector.load %[[P]]
// CHECK:           math.fma {{.*}} : vector<8xf32>
func.func @packs_in_blocks(%x: tensor<120x640xf32>, %w: tensor<640x720xf32>) -> tensor<120x720xf32> {
  %y = graph.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : tensor<120x640xf32>, tensor<640x720xf32> -> tensor<120x720xf32>
  return %y : tensor<120x720xf32>
}

// -----

// Also for one row of tiles, where a sum is else not cut: that memory is small.

// CHECK-LABEL: func.func private @dot_general_0
// CHECK:         %[[P:.*]] = memref.alloca() {{.*}} : memref<5120xf32>
// CHECK:         vector.store {{.*}}, %[[P]]
func.func @packs_in_short_blocks(%x: tensor<6x45000xf32>, %w: tensor<6x45000xf32>) -> tensor<6x6xf32> {
  %y = graph.dot_general %x, %w batching = [] x [] contracting = [1] x [1] : tensor<6x45000xf32>, tensor<6x45000xf32> -> tensor<6x6xf32>
  return %y : tensor<6x6xf32>
}

// -----

// The rows of the tiles lie across a large factor: each block packs its rows, for
// all columns, instead of reading them with a stride for each panel.

// CHECK-LABEL: func.func private @dot_general_0
// CHECK-SAME:  (%[[G:.*]]: memref<460800xf32>, %{{.*}}: memref<163840xf32>, %{{.*}}: memref<655360xi8>, %{{.*}}: memref<184320xf32>)
// CHECK:       scf.parallel
// CHECK:         %[[P:.*]] = memref.alloca() {{.*}} : memref<{{.*}}xf32>
// CHECK:         vector.maskedload %[[G]]
// CHECK:         vector.store {{.*}}, %[[P]]
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           memref.load %[[P]]
// CHECK:           math.fma {{.*}} : vector<8xf32>
func.func @packs_rows_in_blocks(%g: tensor<640x720xf32>, %x: tensor<640x256xf32>) -> tensor<720x256xf32> {
  %y = graph.dot_general %g, %x batching = [] x [] contracting = [0] x [0] : tensor<640x720xf32>, tensor<640x256xf32> -> tensor<720x256xf32>
  return %y : tensor<720x256xf32>
}

// -----

// A weight and its update: the weight is asked for before the sums, six rows of
// a line each. It may be the memory of the result.

// CHECK-LABEL: func.func private @dot_general_0
// CHECK-SAME:  (%{{.*}}: memref<4096xf32>, %{{.*}}: memref<8192xf32>, %[[W:.*]]: memref<524288xf32>,
// CHECK-COUNT-6: memref.prefetch %[[W]]{{.*}}, read, locality<3>, data : memref<524288xf32>
// CHECK-NOT:   memref.prefetch
// CHECK:       math.fma
func.func @asks_ahead(%g: tensor<8x512xf32>, %x: tensor<8x1024xf32>, %w: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %d = graph.dot_general %g, %x batching = [] x [] contracting = [0] x [0] : tensor<8x512xf32>, tensor<8x1024xf32> -> tensor<512x1024xf32>
  %u = graph.sub %w, %d : tensor<512x1024xf32>
  return %u : tensor<512x1024xf32>
}
