// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Tables.h"

#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"
#include "graphc/abi/model_abi.h"
#include "lib/Support/Dtype/Dtype.h"
#include "lib/Target/Cpu/Codegen.h"
#include "lib/Target/Cpu/Cpu.h"
#include "lib/Target/Cpu/TableData.h"
#include "lib/Target/Cpu/TableProgram.h"

#include "llvm/IR/IRBuilder.h"

using namespace mlir;

namespace graphc::cpu {
namespace {

class TableMaker {
public:
  TableMaker(ModuleOp planned, ArrayRef<Level> levels,
             const TableOptions &options, llvm::Module &module)
      : planned(planned), levels(levels), options(options), module(module),
        data(module) {}

  LogicalResult make() {
    read();
    addAllStrings();
    data.strings.finish(module);
    if (failed(makeVariables()))
      return failure();
    makeFunctions();
    if (failed(makeConstants()) || failed(makeVariants()))
      return failure();
    makeQuery(data.global(makeRoot()));
    return checkSizes();
  }

private:
  void read() {
    for (auto function : planned.getOps<func::FuncOp>())
      if (plan::isKernel(function)) {
        kernelNumbers[function.getSymNameAttr()] = kernels.size();
        kernels.push_back(function);
      }
    variables = llvm::to_vector(planned.getOps<graph::VariableOp>());
    programs = llvm::to_vector(planned.getOps<plan::ProgramOp>());
    hostFunctions = plan::getHostFunctions(planned);
  }

  void addAllStrings() {
    StringPool &strings = data.strings;
    strings.add("cpu");
    strings.add(options.compilerVersion);
    strings.add(moduleName());
    for (func::FuncOp kernel : kernels)
      strings.add(kernel.getSymName());
    for (graph::VariableOp variable : variables)
      strings.add(variable.getSymName());
    for (plan::ProgramOp program : programs) {
      strings.add(program.getSymName());
      strings.add(program.getFamily());
      for (ArrayAttr values : {program.getInputs(), program.getOutputs()})
        for (auto value : values.getAsRange<plan::ValueAttr>())
          strings.add(value.getName());
      addStrings(program, strings);
    }
    for (const Level &level : levels)
      strings.add(level.name);
    for (const plan::HostFunction &function : hostFunctions)
      strings.add(function.name);
  }

  StringRef moduleName() { return planned.getSymName().value_or(""); }

  llvm::Constant *makeType(RankedTensorType type) {
    SmallVector<uint64_t> dims(type.getShape().begin(), type.getShape().end());
    return data.structOf({data.i32(toDtype(type.getElementType())),
                          data.i32(type.getRank()), data.array(dims)});
  }

  //===--------------------------------------------------------------------===//
  // Variables
  //===--------------------------------------------------------------------===//

  struct Init {
    uint32_t kind = GRAPHC_ABI_INIT_ZEROS;
    double a = 0, b = 0;
    int64_t integer = 0;
    std::string bytes;
  };

  static int64_t toInteger(double value) {
    // Casting a double that does not fit is undefined.
    if (value >= 0x1p63)
      return INT64_MAX;
    if (value < -0x1p63)
      return INT64_MIN;
    return value;
  }

  /// One element for all, if a double or an i64 is exactly that element.
  static bool setSplat(DenseElementsAttr elements, Init &init) {
    if (!elements || !elements.isSplat())
      return false;
    if (isa<IntegerType>(elements.getElementType())) {
      init.kind = GRAPHC_ABI_INIT_CONSTANT;
      init.integer = elements.getSplatValue<APInt>().getSExtValue();
      return true;
    }
    APFloat value = elements.getSplatValue<APFloat>();
    bool losesBits = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesBits);
    if (losesBits || value.isNaN())
      return false;
    init.kind = GRAPHC_ABI_INIT_CONSTANT;
    init.a = value.convertToDouble();
    return true;
  }

  FailureOr<Init> readInit(graph::VariableOp variable) {
    Init init;
    Attribute value = variable.getInitialValue();
    if (isa<graph::ZerosAttr>(value))
      return init;
    if (auto fill = dyn_cast<graph::FillAttr>(value)) {
      init.kind = GRAPHC_ABI_INIT_CONSTANT;
      init.a = fill.getValue();
      init.integer = toInteger(init.a);
      return init;
    }
    if (auto uniform = dyn_cast<graph::UniformAttr>(value)) {
      init.kind = GRAPHC_ABI_INIT_UNIFORM;
      init.a = uniform.getLow();
      init.b = uniform.getHigh();
      return init;
    }
    if (auto normal = dyn_cast<graph::NormalAttr>(value)) {
      init.kind = GRAPHC_ABI_INIT_NORMAL;
      init.a = normal.getMean();
      init.b = normal.getStd();
      if (std::optional<int64_t> row = normal.getZeroRow())
        init.integer = *row + 1;
      return init;
    }
    if (isa<graph::SeedAttr>(value)) {
      init.kind = GRAPHC_ABI_INIT_SEED;
      return init;
    }
    auto elements = dyn_cast<ElementsAttr>(value);
    std::optional<plan::ElementBytes> bytes;
    if (elements)
      bytes = plan::getElementBytes(elements);
    if (!bytes) {
      variable.emitOpError("expects an initial value that is in memory, but "
                           "got ")
          << value;
      return failure();
    }
    // All zeros need no room in the file.
    if (bytes->pattern == StringRef("\0", 1) || bytes->size == 0)
      return init;
    if (setSplat(dyn_cast<DenseElementsAttr>(elements), init))
      return init;
    if (bytes->size > plan::maxConstantBytes - dataBytes) {
      variable.emitOpError("expects initial values that are data to have at "
                           "most ")
          << plan::maxConstantBytes << " bytes in all, but got " << bytes->size
          << " after " << dataBytes;
      return failure();
    }
    dataBytes += bytes->size;
    init.kind = GRAPHC_ABI_INIT_DATA;
    init.bytes = bytes->expand();
    return init;
  }

  LogicalResult makeVariables() {
    SmallVector<llvm::Constant *> list, layoutList;
    for (graph::VariableOp variable : variables) {
      FailureOr<Init> init = readInit(variable);
      if (failed(init))
        return failure();
      uint64_t flags = 0;
      if (variable.getTrainable())
        flags |= GRAPHC_ABI_VARIABLE_TRAINABLE;
      if (variable.getOptimizerState())
        flags |= GRAPHC_ABI_VARIABLE_OPTIMIZER;
      if (variable.getInternal())
        flags |= GRAPHC_ABI_VARIABLE_INTERNAL;
      llvm::Constant *initConstant = data.structOf(
          {data.i32(init->kind), data.i32(0), data.f64(init->a),
           data.f64(init->b), data.i64(init->integer),
           data.alignedBytes(init->bytes), data.i64(init->bytes.size())});
      list.push_back(
          data.structOf({data.strings.get(variable.getSymName()),
                         makeType(variable.getTensorType()), data.i32(flags),
                         data.i32(0), initConstant}));
      auto offset = variable->getAttrOfType<IntegerAttr>(
          plan::PlanDialect::getOffsetAttrName());
      if (!offset)
        return variable.emitOpError("expects a plan.offset");
      int64_t bytes = plan::getByteSize(variable.getStoredType());
      auto numberOf = [&](StringRef name) -> uint32_t {
        auto kernel = variable->getAttrOfType<FlatSymbolRefAttr>(name);
        return kernel ? kernelNumbers.lookup(kernel.getAttr()) + 1 : 0;
      };
      layoutList.push_back(data.structOf(
          {data.i64(offset.getInt()), data.i64(bytes),
           data.i32(numberOf(plan::PlanDialect::getPackAttrName())),
           data.i32(numberOf(plan::PlanDialect::getUnpackAttrName()))}));
      stateBytes =
          std::max<uint64_t>(stateBytes, llvm::alignTo(offset.getInt() + bytes,
                                                       GRAPHC_ABI_ALIGNMENT));
    }
    variableTable = data.array(list);
    layouts = data.array(layoutList);
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Functions and constants
  //===--------------------------------------------------------------------===//

  llvm::Constant *makeValues(ArrayAttr values) {
    SmallVector<llvm::Constant *> list;
    for (auto value : values.getAsRange<plan::ValueAttr>())
      list.push_back(data.structOf(
          {data.strings.get(value.getName()), makeType(value.getType())}));
    return data.array(list);
  }

  void makeFunctions() {
    SmallVector<llvm::Constant *> list;
    for (plan::ProgramOp program : programs) {
      // plan.program_kind has the numbers of graphc_abi_function_kind.
      list.push_back(data.structOf({data.strings.get(program.getSymName()),
                                    data.strings.get(program.getFamily()),
                                    data.i32(uint32_t(program.getKind())),
                                    data.i32(program.writesState()),
                                    data.i32(program.getInputs().size()),
                                    data.i32(program.getOutputs().size()),
                                    makeValues(program.getInputs()),
                                    makeValues(program.getOutputs())}));
    }
    functionTable = data.array(list);
  }

  LogicalResult makeConstants() {
    std::string blob;
    for (auto constant : planned.getOps<plan::ConstantOp>()) {
      std::optional<plan::ElementBytes> bytes =
          plan::getElementBytes(constant.getValue());
      if (!bytes)
        return constant.emitOpError("expects elements that are in memory");
      int64_t offset = constant.getOffset();
      if (bytes->size > plan::maxConstantBytes ||
          offset > plan::maxConstantBytes - bytes->size)
        return constant.emitOpError("expects to end at byte ")
               << plan::maxConstantBytes << " or before";
      int64_t end = offset + bytes->size;
      if (int64_t(blob.size()) < end)
        blob.resize(llvm::alignTo(end, GRAPHC_ABI_ALIGNMENT));
      blob.replace(offset, bytes->size, bytes->expand());
    }
    constantBytes = blob.size();
    constants = data.alignedBytes(blob);
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Variants and root
  //===--------------------------------------------------------------------===//

  llvm::Constant *makeKernels(const Level &level) {
    auto *type = llvm::FunctionType::get(
        llvm::Type::getVoidTy(module.getContext()),
        SmallVector<llvm::Type *>(3, data.null()->getType()), false);
    SmallVector<llvm::Constant *> list;
    for (func::FuncOp kernel : kernels) {
      auto *function = llvm::Function::Create(
          type, llvm::GlobalValue::ExternalLinkage,
          kernelSymbol(kernel.getSymName(), level.name), module);
      function->setVisibility(llvm::GlobalValue::HiddenVisibility);
      function->setDSOLocal(true);
      list.push_back(
          data.structOf({data.strings.get(kernel.getSymName()), function}));
    }
    return data.array(list);
  }

  LogicalResult makeVariants() {
    for (func::FuncOp kernel : kernels)
      if (kernel.isExternal())
        return kernel.emitOpError("expects a kernel to have a body");
    SmallVector<llvm::Constant *> plans, list;
    for (plan::ProgramOp program : programs)
      plans.push_back(makePlan(program, kernelNumbers, data));
    llvm::Constant *planTable = data.array(plans);
    for (const Level &level : levels)
      list.push_back(data.structOf(
          {data.strings.get("cpu"), data.strings.get(level.name),
           data.i64(level.abiFeatures), data.i32(options.maxThreads),
           data.i32(kernels.size()), makeKernels(level), data.i64(stateBytes),
           layouts, data.i64(constantBytes), constants, planTable}));
    variantTable = data.array(list);
    return success();
  }

  llvm::Constant *makeRoot() {
    return data.structOf(
        {data.i32(sizeof(graphc_model_root)), data.i32(GRAPHC_ABI_MAJOR),
         data.i32(GRAPHC_ABI_MINOR), data.i32(0),
         data.strings.get(options.compilerVersion),
         data.strings.get(moduleName()), data.i32(variables.size()),
         data.i32(programs.size()), data.i32(levels.size()), data.i32(0),
         variableTable, functionTable, variantTable,
         data.i32(hostFunctions.size()), data.i32(0), makeHostFunctions()});
  }

  llvm::Constant *makeHostFunctions() {
    static_assert(plan::maxHostTensors == GRAPHC_ABI_MAX_HOST_TENSORS);
    auto typesOf = [&](ArrayRef<Type> types) {
      SmallVector<llvm::Constant *> list;
      for (Type type : types)
        list.push_back(makeType(cast<RankedTensorType>(type)));
      return data.array(list);
    };
    SmallVector<llvm::Constant *> list;
    for (const plan::HostFunction &function : hostFunctions)
      list.push_back(data.structOf({data.strings.get(function.name),
                                    data.i32(function.type.getNumInputs()),
                                    data.i32(function.type.getNumResults()),
                                    typesOf(function.type.getInputs()),
                                    typesOf(function.type.getResults())}));
    return data.array(list);
  }

  /// root *graphc_model_query(major): the root if the major version is ours.
  void makeQuery(llvm::Constant *root) {
    llvm::IRBuilder<> builder(module.getContext());
    auto *type =
        llvm::FunctionType::get(root->getType(), {builder.getInt32Ty()}, false);
    auto *query =
        llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                               GRAPHC_ABI_QUERY_SYMBOL, module);
    query->addFnAttr(llvm::Attribute::NoUnwind);
    query->addParamAttr(0, llvm::Attribute::ZExt);
    builder.SetInsertPoint(
        llvm::BasicBlock::Create(module.getContext(), "", query));
    llvm::Value *isOurs = builder.CreateICmpEQ(
        query->getArg(0), builder.getInt32(GRAPHC_ABI_MAJOR));
    builder.CreateRet(builder.CreateSelect(isOurs, root, data.null()));
  }

  /// The structs built here must be those of the header, field for field; their
  /// sizes tell most slips.
  LogicalResult checkSizes() {
    auto differs = [&](llvm::Constant *table, size_t bytes) {
      auto *global = dyn_cast_if_present<llvm::GlobalVariable>(table);
      if (!global)
        return false; // An empty table.
      llvm::Type *type = global->getValueType();
      if (auto *array = dyn_cast<llvm::ArrayType>(type))
        type = array->getElementType();
      return module.getDataLayout().getTypeAllocSize(type) != bytes;
    };
    if (differs(variableTable, sizeof(graphc_abi_variable)) ||
        differs(functionTable, sizeof(graphc_abi_function)) ||
        differs(layouts, sizeof(graphc_abi_layout)) ||
        differs(variantTable, sizeof(graphc_abi_variant)))
      return planned.emitError(
          "internal error: a table is not of the size that "
          "model_abi.h says");
    return success();
  }

  ModuleOp planned;
  ArrayRef<Level> levels;
  const TableOptions &options;
  llvm::Module &module;
  TableData data;
  KernelNumbers kernelNumbers;
  SmallVector<func::FuncOp> kernels;
  SmallVector<graph::VariableOp> variables;
  SmallVector<plan::ProgramOp> programs;
  SmallVector<plan::HostFunction> hostFunctions;
  uint64_t stateBytes = 0, constantBytes = 0;
  int64_t dataBytes = 0; // of the variables' initial values
  llvm::Constant *variableTable = nullptr, *functionTable = nullptr;
  llvm::Constant *layouts = nullptr, *constants = nullptr;
  llvm::Constant *variantTable = nullptr;
};

} // namespace

std::unique_ptr<llvm::Module> buildTables(ModuleOp module,
                                          ArrayRef<Level> levels,
                                          const TableOptions &options,
                                          llvm::LLVMContext &context) {
  auto tables = std::make_unique<llvm::Module>("tables", context);
  tables->setDataLayout(levels.front().machine->dataLayout);
  if (failed(TableMaker(module, levels, options, *tables).make()))
    return nullptr;
  return tables;
}

} // namespace graphc::cpu
