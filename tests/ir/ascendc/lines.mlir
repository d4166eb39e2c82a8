// RUN: asc-opt %s --emit=ascendc --line-directives | FileCheck %s
// `#line` stands where the C++ compiler would count wrong, and not inside a statement.

#kernel = loc("/src/kernels/add.py":3:0)
#l5 = loc("/src/kernels/add.py":5:4)
#l6 = loc("/src/kernels/add.py":6:4)
#l9 = loc("/src/kernels/add.py":9:4)
#other = loc("/src/lib/tiles.py":2:4)
asc.kernel @add(%n: i32) attributes {dtypes = [i32], names = ["n"]} {
  %c0 = arith.constant 0 : i32
  // CHECK:      #line 3 "add.py"
  // CHECK-NEXT: extern "C" __global__ __aicore__ void add(int32_t n)
  // CHECK-NEXT: {
  // CHECK-NEXT:   AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(0);
  asc.set_flag MTE2_V, %c0 : i32 loc(#l5)
  // CHECK-NEXT:   AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(0);
  asc.wait_flag MTE2_V, %c0 : i32 loc(#l6)
  // CHECK-NEXT: #line 6 "add.py"
  // CHECK-NEXT:   AscendC::PipeBarrier<PIPE_V>();
  asc.pipe_barrier V loc(#l6)
  // CHECK-NEXT: #line 2 "../lib/tiles.py"
  // CHECK-NEXT:   AscendC::PipeBarrier<PIPE_MTE2>();
  asc.pipe_barrier MTE2 loc(#other)
  // CHECK-NEXT: #line 9 "add.py"
  // CHECK-NEXT:   AscendC::PipeBarrier<PIPE_MTE3>();
  asc.pipe_barrier MTE3 loc(#l9)
  // CHECK-NEXT: }
  asc.return
} loc(#kernel)
