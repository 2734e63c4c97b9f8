//===- BodyEmitter.cpp - Elements of a kernel's values --------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/BodyEmitter.h"

#include "codegen/cpu/ElementTypes.h"
#include "codegen/cpu/Pointwise.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace partita::cpu {

ArrayRef<int64_t> getShape(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

mlir::Type getElementType(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value.getType());
}

static bool isComplex(mlir::Type type) {
  return mlir::isa<mlir::ComplexType>(type);
}

BodyEmitter::BodyEmitter(Function *function, const CpuTarget &target,
                         plan::KernelOp kernel)
    : CoordBuilder(function), target(target), kernel(kernel) {
  for (auto [number, argument] : enumerate(kernel.getArguments())) {
    View view;
    view.pointer = function->getArg(number);
    setView(argument, view);
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value *BodyEmitter::loadPart(Type *type, Value *pointer,
                             const Coord &position) {
  Align align(std::max<unsigned>(type->getScalarSizeInBits() / 8, 1));
  if (position.isUniform())
    return ir.CreateAlignedLoad(type, advance(type, pointer, position.base),
                                align);
  auto *vector = FixedVectorType::get(type, lanes);
  if (isPrefetching) {
    if (!position.lanes && position.stride == 1)
      ir.CreateIntrinsic(Intrinsic::prefetch, {ir.getPtrTy()},
                         {advance(type, pointer, position.base), ir.getInt32(0),
                          ir.getInt32(3), ir.getInt32(1)});
    return Constant::getNullValue(vector);
  }
  if (!position.lanes && position.stride == 1)
    return ir.CreateAlignedLoad(vector, advance(type, pointer, position.base),
                                align);
  if (!position.lanes && position.stride == -1) {
    Value *first = ir.CreateAdd(position.base, getInt(1 - lanes));
    return ir.CreateVectorReverse(
        ir.CreateAlignedLoad(vector, advance(type, pointer, first), align));
  }
  Value *at = ir.CreateInBoundsGEP(type, pointer, toLanes(position));
  return ir.CreateMaskedGather(vector, at, align);
}

void BodyEmitter::storePart(Value *pointer, const Coord &position,
                            Value *value) {
  Type *type = value->getType()->getScalarType();
  Align align(std::max<unsigned>(type->getScalarSizeInBits() / 8, 1));
  if (position.isUniform()) {
    ir.CreateAlignedStore(value, advance(type, pointer, position.base), align);
    return;
  }
  value = splat(*this, lanes, value);
  if (!position.lanes && position.stride == 1) {
    ir.CreateAlignedStore(value, advance(type, pointer, position.base), align);
    return;
  }
  Value *at = ir.CreateInBoundsGEP(type, pointer, toLanes(position));
  ir.CreateMaskedScatter(value, at, align);
}

Elem BodyEmitter::load(mlir::Type type, Value *pointer, const Coord &position) {
  Type *memory = getMemoryType(ir.getContext(), type);
  if (!isComplex(type))
    return {fromMemory(*this, type, loadPart(memory, pointer, position)),
            nullptr};
  Coord real = multiply(position, 2);
  return {loadPart(memory, pointer, real),
          loadPart(memory, pointer, add(real, 1))};
}

void BodyEmitter::store(mlir::Type type, Value *pointer, const Coord &position,
                        Elem value) {
  if (!isComplex(type)) {
    storePart(pointer, position, toMemory(*this, type, value.re));
    return;
  }
  Coord real = multiply(position, 2);
  storePart(pointer, real, value.re);
  storePart(pointer, add(real, 1), value.im);
}

Elem BodyEmitter::spread(Elem value) {
  return {splat(*this, lanes, value.re),
          value.im ? splat(*this, lanes, value.im) : nullptr};
}

void BodyEmitter::write(unsigned number, const Index &index, Elem value) {
  mlir::Type type = mlir::getElementTypeOrSelf(kernel.getResultTypes()[number]);
  store(type, getResultPointer(number), linearize(index), value);
}

void BodyEmitter::dropRows() {
  for (mlir::Value value : kept)
    views.erase(value);
  kept.clear();
}

bool BodyEmitter::holds(const View &view, const Index &index) {
  if (view.shape.empty())
    return true;
  Index own = reindex(index, view.shape);
  for (auto [coord, origin, stride] :
       zip(own.coords, view.origin, view.strides))
    if (stride == 0 && (!coord.isUniform() || coord.base != origin.base))
      return false;
  return true;
}

Elem BodyEmitter::readView(mlir::Value value, const View &view,
                           const Index &index) {
  mlir::Type type = getElementType(value);
  Coord position;
  if (view.shape.empty()) {
    position = linearize(index);
  } else {
    Index own = reindex(index, view.shape);
    position = constant(0);
    for (auto [coord, origin, stride] :
         zip(own.coords, view.origin, view.strides))
      if (stride != 0)
        position =
            add(position, multiply(add(coord, multiply(origin, -1)), stride));
  }
  if (!view.isRaw)
    return load(type, view.pointer, position);
  Type *part = getRegisterType(ir.getContext(), type);
  return {roundTo(*this, type, loadPart(part, view.pointer, position)),
          nullptr};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Elem BodyEmitter::read(mlir::Value value, const Index &index) {
  static const char kName[] = "element";
  Key key = {reinterpret_cast<uintptr_t>(kName),
             reinterpret_cast<uintptr_t>(value.getAsOpaquePointer()),
             index.isUniform() ? 1 : static_cast<uintptr_t>(lanes)};
  if (isPrefetching && !index.isUniform())
    key.push_back(1);
  appendKey(key, index);
  Elem result = lookup(key);
  if (result)
    return result;
  emitAtDepth(index.getDepth(), [&] {
    result = compute(value, index);
    remember(key, result);
  });
  return result;
}

void BodyEmitter::prefetch(mlir::Value value, const Index &index) {
  isPrefetching = true;
  read(value, index);
  isPrefetching = false;
}

Elem BodyEmitter::compute(mlir::Value value, const Index &index) {
  auto found = views.find(value);
  if (found != views.end()) {
    View view = found->second;
    if (holds(view, index))
      return readView(value, view, index);
  }
  mlir::Operation *op = value.getDefiningOp();
  if (op->hasTrait<mlir::OpTrait::ConstantLike>())
    return readConstant(op, index);
  StringRef name = op->getName().stripDialect();
  if (name == "reshape" || name == "sharding_constraint")
    return read(op->getOperand(0), index);
  if (!isPointwise(op))
    return computeOp(op, reindex(index, getShape(value)));
  SmallVector<Elem, 3> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(read(operand, index));
  Elem result = emitPointwise(*this, op, operands);
  return result ? result : fail(op, index);
}

Elem BodyEmitter::computeOp(mlir::Operation *op, const Index &index) {
  using Reader = Elem (BodyEmitter::*)(mlir::Operation *, const Index &);
  static const StringMap<Reader> readers = {
      {"broadcast", &BodyEmitter::readBroadcast},
      {"transpose", &BodyEmitter::readTranspose},
      {"slice", &BodyEmitter::readSlice},
      {"pad", &BodyEmitter::readPad},
      {"concatenate", &BodyEmitter::readConcatenate},
      {"reverse", &BodyEmitter::readReverse},
      {"repack", &BodyEmitter::readRepack},
      {"iota", &BodyEmitter::readIota},
      {"dynamic_slice", &BodyEmitter::readDynamicSlice},
      {"dynamic_update_slice", &BodyEmitter::readDynamicUpdateSlice},
      {"gather", &BodyEmitter::readGather},
      {"reduce", &BodyEmitter::readReduce},
      {"dot", &BodyEmitter::readDot},
  };
  auto found = readers.find(op->getName().stripDialect());
  if (found == readers.end())
    return fail(op, index);
  return (this->*found->second)(op, index);
}

Elem BodyEmitter::fail(mlir::Operation *op, const Index &index) {
  if (!failure)
    failure = op;
  mlir::Type type = getElementType(op->getResult(0));
  Type *part = getRegisterType(ir.getContext(), type);
  Value *zero = Constant::getNullValue(part);
  return {zero, isComplex(type) ? zero : nullptr};
}

/// The bytes of a dense constant as a private global array.
static Value *getConstantData(LoopBuilder &builder, mlir::Operation *op,
                              mlir::DenseElementsAttr value) {
  Module &module = *builder.getModule();
  LLVMContext &context = module.getContext();
  std::string name =
      ("constant_" + Twine(reinterpret_cast<uintptr_t>(op))).str();
  if (GlobalVariable *known = module.getNamedGlobal(name))
    return known;
  mlir::Type type = value.getElementType();
  Constant *data;
  if (type.isInteger(1)) {
    SmallVector<uint8_t> bytes;
    for (bool element : value.getValues<bool>())
      bytes.push_back(element);
    data = ConstantDataArray::get(context, bytes);
  } else if (type.getIntOrFloatBitWidth() < 8) {
    SmallVector<uint8_t> bytes;
    for (const APInt &element : value.getValues<APInt>())
      bytes.push_back(static_cast<uint8_t>(element.getZExtValue()));
    data = ConstantDataArray::get(context, bytes);
  } else {
    ArrayRef<char> raw = value.getRawData();
    data = ConstantDataArray::getRaw(StringRef(raw.data(), raw.size()),
                                     raw.size(), Type::getInt8Ty(context));
  }
  auto *global = new GlobalVariable(module, data->getType(), true,
                                    GlobalValue::PrivateLinkage, data, name);
  global->setAlignment(Align(64));
  return global;
}

Elem BodyEmitter::readConstant(mlir::Operation *op, const Index &index) {
  mlir::DenseElementsAttr value;
  if (!mlir::matchPattern(op, mlir::m_Constant(&value)))
    return fail(op, index);
  mlir::Type type = value.getElementType();
  if (value.isSplat())
    return getConstant(ir.getContext(), type,
                       value.getSplatValue<mlir::Attribute>());
  if (isComplex(type))
    return load(
        type,
        [&] {
          Module &module = *getModule();
          ArrayRef<char> raw = value.getRawData();
          Constant *data = ConstantDataArray::getRaw(
              StringRef(raw.data(), raw.size()), raw.size(), ir.getInt8Ty());
          auto *global =
              new GlobalVariable(module, data->getType(), true,
                                 GlobalValue::PrivateLinkage, data, "constant");
          global->setAlignment(Align(64));
          return global;
        }(),
        linearize(index));
  return load(type, getConstantData(*this, op, value), linearize(index));
}

void BodyEmitter::laneLoop(Value *low, Value *high, int64_t width,
                           int64_t multiple, bool hasRest,
                           function_ref<void(const Coord &)> body) {
  int before = lanes;
  Value *middle = low;
  if (width > 1) {
    Value *count = ir.CreateSub(high, low);
    count = ir.CreateAnd(count, getInt(-width));
    middle = ir.CreateAdd(low, count);
    lanes = static_cast<int>(width);
    loop(low, middle, width,
         [&](Value *at) { body(variable(at, std::gcd(width, multiple), 1)); });
  }
  lanes = 1;
  if (hasRest || width == 1)
    loop(middle, high, 1, [&](Value *at) { body(variable(at, 1)); });
  lanes = before;
}

int getLaneDim(mlir::Value value) {
  ArrayRef<int64_t> shape = getShape(value);
  auto last = [&]() -> int {
    for (int dim = static_cast<int>(shape.size()); dim-- > 0;)
      if (shape[dim] > 1)
        return dim;
    return -1;
  };
  mlir::Operation *op = value.getDefiningOp();
  if (!op)
    return last();
  StringRef name = op->getName().stripDialect();
  if (name == "transpose") {
    int inner = getLaneDim(op->getOperand(0));
    auto permutation =
        op->getAttrOfType<mlir::DenseI64ArrayAttr>("permutation").asArrayRef();
    auto *found = find(permutation, inner);
    return found == permutation.end() ? -1 : found - permutation.begin();
  }
  if (name == "broadcast") {
    int inner = getLaneDim(op->getOperand(0));
    auto dims = op->getAttrOfType<mlir::DenseI64ArrayAttr>("dims").asArrayRef();
    return inner < 0 ? -1 : static_cast<int>(dims[inner]);
  }
  if (isPointwise(op))
    for (mlir::Value operand : op->getOperands()) {
      int dim = getLaneDim(operand);
      if (dim >= 0)
        return dim;
    }
  return op->hasTrait<mlir::OpTrait::ConstantLike>() ? -1 : last();
}

} // namespace partita::cpu
