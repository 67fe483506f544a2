// RUN: not graph-opt --amp=dtype=f32 %s 2>&1 | FileCheck %s --check-prefix=AMP
// AMP: error: amp: expects dtype bf16 or f16, but got 'f32'
// RUN: not graph-opt --amp-report=dtype=i8 %s 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: error: amp: expects dtype bf16 or f16, but got 'i8'
// RUN: not graph-opt --train-step=amp=f8 %s 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: error: expects amp bf16, f16 or none, but got 'f8'
module {}
