// Every kind of initial value; names that mean something to linkers.
module @".rodata" {
  graph.variable @"w.$-x" : tensor<2xf32> = dense<[1.5, -2.0]> : tensor<2xf32> trainable
  graph.variable @zeros : tensor<3xi64> = #graph.zeros
  graph.variable @constant : tensor<2xbf16> = #graph.constant<-1.5>
  graph.variable @integers : tensor<2xi32> = #graph.constant<-7>
  graph.variable @data : tensor<3xi1> = dense<[true, false, true]> : tensor<3xi1>
  graph.variable @splat : tensor<2xf64> = dense<0.1> : tensor<2xf64>
  graph.variable @bytes : tensor<2xui8> = dense<200> : tensor<2xui8>
  graph.variable @flags : tensor<2xi1> = dense<true> : tensor<2xi1>
  graph.variable @infinite : tensor<2xf16> = dense<0xFC00> : tensor<2xf16>
  graph.variable @nan : tensor<2xf32> = dense<0x7FC00001> : tensor<2xf32>
  graph.variable @none : tensor<0x2xf32> = #graph.normal<1.0, 2.0>
  graph.variable @uniform : tensor<1xf32> = #graph.uniform<-0.5, 0.25>
  graph.variable @normal : tensor<1xf64> = #graph.normal<1.0, 2.0>
  func.func @graphc_model_query(%x: tensor<2xf32> {graph.name = "x"}) -> tensor<2xf32> {
    %w = graph.get @"w.$-x" : tensor<2xf32>
    %y = graph.add %x, %w : tensor<2xf32>
    return %y : tensor<2xf32>
  }
  func.func @".L.str"(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
}
