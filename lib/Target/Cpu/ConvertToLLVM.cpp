// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Kernels.h"
#include "lib/Target/Cpu/Machine.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace graphc::cpu {
namespace {

struct PrepareKernels : PassWrapper<PrepareKernels, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrepareKernels)

  explicit PrepareKernels(bool convertsF16) : convertsF16(convertsF16) {}

  StringRef getName() const override { return "PrepareKernels"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect, math::MathDialect,
                    scf::SCFDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(widenBoolMemory(module)) ||
        failed(expandSmallFloats(module, convertsF16)))
      return signalPassFailure();
    splitMasks(module);
    if (failed(applyKernelAbi(module)))
      return signalPassFailure();
    callLibm(module);
  }

private:
  bool convertsF16;
};

/// Brings vectors to the forms the conversion knows: transfers of one
/// dimension, no masks around ops, no strided slices.
struct SimplifyVectors : PassWrapper<SimplifyVectors, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SimplifyVectors)

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorToVectorCanonicalizationPatterns(patterns);
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    vector::populateVectorShapeCastLoweringPatterns(patterns);
    vector::populateVectorTransferLoweringPatterns(patterns,
                                                   /*maxTransferRank=*/1);
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    vector::populateVectorMaskMaterializationPatterns(
        patterns, /*force32BitVectorIndices=*/false);
    if (failed(
            applyPatternsAndFoldGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

/// A store past the caches is of whole vectors where they are aligned, several
/// maybe, each no longer than a line; whoever reads it on another thread must
/// find it there when the function is left.
void finishNontemporalStores(LLVM::LLVMFuncOp function, StringRef fence) {
  bool isFound = false;
  function.walk([&](LLVM::StoreOp store) {
    auto type = dyn_cast<VectorType>(store.getValue().getType());
    if (!store.getNontemporal() || !type)
      return;
    constexpr int64_t lineBytes = 64;
    store.setAlignment(std::min(
        lineBytes, type.getNumElements() * type.getElementTypeBitWidth() / 8));
    isFound = true;
  });
  if (!isFound || fence.empty())
    return;
  function.walk([&](LLVM::ReturnOp end) {
    OpBuilder builder(end);
    builder.create<LLVM::CallIntrinsicOp>(
        end.getLoc(), Type(), builder.getStringAttr(fence), ValueRange());
  });
}

struct ConvertToLLVM : PassWrapper<ConvertToLLVM, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertToLLVM)

  explicit ConvertToLLVM(StringRef storeFence) : storeFence(storeFence) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LLVMTypeConverter converter(context);
    RewritePatternSet patterns(context);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns,
                                         /*approximateLog1p=*/false);
    populateVectorToLLVMConversionPatterns(converter, patterns,
                                           /*reassociateFPReductions=*/false,
                                           /*force32BitVectorIndices=*/false);
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    if (failed(
            applyFullConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    getOperation().walk([&](LLVM::LLVMFuncOp function) {
      finishNontemporalStores(function, storeFence);
    });
  }

private:
  StringRef storeFence;
};

} // namespace

void addKernelsToLLVM(OpPassManager &passes, bool convertsF16,
                      const char *storeFence) {
  passes.addPass(std::make_unique<PrepareKernels>(convertsF16));
  passes.addPass(std::make_unique<SimplifyVectors>());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createLowerLoops());
  passes.addPass(std::make_unique<ConvertToLLVM>(
      storeFence ? StringRef(storeFence) : StringRef()));
  passes.addPass(createReconcileUnrealizedCastsPass());
}

void registerCpuPipelines() {
  struct Options : PassPipelineOptions<Options> {
    Option<bool> convertsF16{
        *this, "converts-f16",
        llvm::cl::desc("The level has instructions for f16 <-> f32"),
        llvm::cl::init(true)};
    Option<bool> fencesStores{
        *this, "fences-stores",
        llvm::cl::desc("Stores past the caches need a fence, as on x86-64"),
        llvm::cl::init(true)};
  };
  PassPipelineRegistration<Options>(
      "cpu-kernels-to-llvm",
      "Lower a module of kernels to the LLVM dialect, with the calling "
      "convention of model_abi.h",
      [](OpPassManager &passes, const Options &options) {
        addKernelsToLLVM(passes, options.convertsF16,
                         options.fencesStores ? x86Machine.storeFence
                                              : nullptr);
      });
}

} // namespace graphc::cpu
