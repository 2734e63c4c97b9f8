//===- ImportRandom.cpp - Import of random bits ---------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threefry-2x32 and Philox-4x32, both counter-based: J. Salmon et al.,
// "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). Words are handed out
// as by XLA, so that the same state gives the same numbers. As they depend on
// an element's place alone, each device computes its own.
//
// The state is a key of 64 bits and a counter of 64, for Philox also of 128. Of
// a shorter one for Philox, the key is the counter's high part, too.
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"
#include "ir/io/stablehlo/Ops.h"

using namespace mlir;

namespace partita::io {

namespace {

/// Words of 32 bits, low ones first, each of the same shape.
using Words = SmallVector<Value>;

/// Arithmetic on unsigned integers of one shape.
class Bits {
public:
  Bits(ImportBuilder &theBuilder, ArrayRef<int64_t> theShape)
      : builder(theBuilder), shape(theShape) {}

  RankedTensorType type(unsigned width) {
    return RankedTensorType::get(
        shape,
        IntegerType::get(builder.getContext(), width, IntegerType::Unsigned));
  }
  Value number(unsigned width, uint64_t value) {
    return builder.constant(
        DenseElementsAttr::get(type(width), APInt(width, value)));
  }
  Value make(StringRef name, Value a, Value b) {
    return builder.make(name, {a, b});
  }
  Value low(Value wide) {
    return builder.convert(wide, type(32).getElementType());
  }
  Value high(Value wide) {
    return low(make("shr_logical", wide, number(64, 32)));
  }
  Value widen(Value word) {
    return builder.convert(word, type(64).getElementType());
  }
  Value join(Value lowWord, Value highWord) {
    return make("or", widen(lowWord),
                make("shl", widen(highWord), number(64, 32)));
  }
  Value rotate(Value word, uint64_t by) {
    return make("or", make("shl", word, number(32, by)),
                make("shr_logical", word, number(32, 32 - by)));
  }
  /// A scalar for every element.
  Value spread(Value scalar) {
    return builder.broadcastScalar(
        scalar,
        type(getElementTypeOrSelf(scalar.getType()).getIntOrFloatBitWidth()));
  }
  /// The number of each element in row-major order, of 64 bits.
  Value count() {
    Value sum = number(64, 0);
    uint64_t stride = 1;
    for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim])
      if (shape[dim] > 1)
        sum =
            make("add", sum,
                 make("mul", builder.iota(type(64), static_cast<int64_t>(dim)),
                      number(64, stride)));
    return sum;
  }

private:
  ImportBuilder &builder;
  SmallVector<int64_t> shape;
};

} // namespace

static Words threefry(Bits &bits, Words counter, const Words &key) {
  Value third = bits.make("xor", bits.number(32, 0x1BD11BDA),
                          bits.make("xor", key[0], key[1]));
  Words keys = {key[0], key[1], third};
  constexpr uint64_t kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  Value a = bits.make("add", counter[0], keys[0]);
  Value b = bits.make("add", counter[1], keys[1]);
  for (uint64_t group = 0; group < 5; ++group) {
    for (uint64_t by : kRotations[group % 2]) {
      a = bits.make("add", a, b);
      b = bits.make("xor", bits.rotate(b, by), a);
    }
    a = bits.make("add", a, keys[(group + 1) % 3]);
    b = bits.make("add", bits.make("add", b, keys[(group + 2) % 3]),
                  bits.number(32, group + 1));
  }
  return {a, b};
}

static Words philox(Bits &bits, Words counter, Words key) {
  for (int round = 0; round < 10; ++round) {
    if (round > 0) {
      key[0] = bits.make("add", key[0], bits.number(32, 0x9E3779B9));
      key[1] = bits.make("add", key[1], bits.number(32, 0xBB67AE85));
    }
    Value first =
        bits.make("mul", bits.widen(counter[0]), bits.number(64, 0xD2511F53));
    Value second =
        bits.make("mul", bits.widen(counter[2]), bits.number(64, 0xCD9E8D57));
    auto mix = [&](Value product, Value word, Value part) {
      return bits.make("xor", bits.make("xor", bits.high(product), word), part);
    };
    counter = {mix(second, counter[1], key[0]), bits.low(second),
               mix(first, counter[3], key[1]), bits.low(first)};
  }
  return counter;
}

namespace {

/// One op: its key and counter as scalars of 64 bits.
struct Generator {
  ImportBuilder &builder;
  Value key;
  SmallVector<Value> counter; ///< The low part first.

  /// The counter plus `steps`, which have the shape of `bits`, as low and high
  /// part; the carry goes on.
  Words advance(Bits &bits, Value steps) {
    Value low = bits.make("add", bits.spread(counter[0]), steps);
    if (counter.size() == 1)
      return {low, bits.number(64, 0)};
    Value carry = builder.convert(builder.compare(Comparison::Lt, low, steps),
                                  bits.type(64).getElementType());
    return {low, bits.make("add", bits.spread(counter[1]), carry)};
  }
  Words splitKey(Bits &bits) {
    Value all = bits.spread(key);
    return {bits.low(all), bits.high(all)};
  }
};

} // namespace

/// The dimension whose halves the two words of Threefry fill: the first even
/// one, else the first of the largest.
static int64_t findHalvedDim(ArrayRef<int64_t> shape) {
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size % 2 == 0)
      return static_cast<int64_t>(dim);
  return std::max_element(shape.begin(), shape.end()) - shape.begin();
}

/// Bits for each element, of 64 or 32 bits; `steps` is how far the counter
/// goes.
static Value makeThreefry(Generator &generator, ArrayRef<int64_t> shape,
                          unsigned width, uint64_t &steps) {
  ImportBuilder &builder = generator.builder;
  SmallVector<int64_t> counted(shape);
  int64_t halved = 0;
  if (width == 32) {
    if (counted.empty())
      counted.push_back(1);
    halved = findHalvedDim(counted);
    counted[halved] =
        static_cast<int64_t>(llvm::divideCeil(counted[halved], 2));
    counted.insert(counted.begin() + halved + 1, 1);
  }
  Bits bits(builder, counted);
  steps = static_cast<uint64_t>(ShapedType::getNumElements(counted));
  Value counter = generator.advance(bits, bits.count())[0];
  Words words = threefry(bits, {bits.low(counter), bits.high(counter)},
                         generator.splitKey(bits));
  if (width == 64)
    return bits.join(words[0], words[1]);
  Value both = builder.concatenate(words, halved + 1);
  counted.erase(counted.begin() + halved + 1);
  counted[halved] *= 2;
  both = builder.reshape(both, counted);
  if (!shape.empty())
    both = builder.slice(both, halved, 0, shape[halved]);
  else
    both = builder.slice(both, 0, 0, 1);
  return builder.reshape(both, shape);
}

static Value makePhilox(Generator &generator, ArrayRef<int64_t> shape,
                        unsigned width, uint64_t &steps) {
  ImportBuilder &builder = generator.builder;
  int64_t size = ShapedType::getNumElements(shape);
  int64_t perCounter = width == 64 ? 2 : 4;
  auto count = static_cast<int64_t>(llvm::divideCeil(size, perCounter));
  steps = static_cast<uint64_t>(count);
  Bits bits(builder, {count, 1});
  Words wide = generator.advance(bits, bits.count());
  Words words = philox(bits,
                       {bits.low(wide[0]), bits.high(wide[0]),
                        bits.low(wide[1]), bits.high(wide[1])},
                       generator.splitKey(bits));
  if (width == 64)
    words = {bits.join(words[0], words[1]), bits.join(words[2], words[3])};
  Value all =
      builder.reshape(builder.concatenate(words, 1), count * perCounter);
  return builder.reshape(builder.slice(all, 0, 0, size), shape);
}

static Imported importRngBits(Importer &importer, Operation *op,
                              ImportBuilder &builder) {
  auto random = cast<stablehlo::RngBitGeneratorOp>(op);
  Value state = random.getInitialState();
  auto type = cast<RankedTensorType>(op->getResult(1).getType());
  auto stateType = cast<RankedTensorType>(state.getType());
  // Left to the implementation, it is the one of XLA for CPUs.
  bool isThreefry =
      random.getRngAlgorithm() == stablehlo::RngAlgorithm::THREE_FRY;
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (!isa<IntegerType>(type.getElementType()) || (width != 32 && width != 64))
    return importer.reportUnsupported(
        op, " of elements other than integers of 32 or 64 bits");
  if (stateType.getRank() != 1 || !stateType.getElementType().isInteger(64) ||
      (stateType.getDimSize(0) != 2 &&
       (isThreefry || stateType.getDimSize(0) != 3)))
    return op->emitError()
           << "'stablehlo.rng_bit_generator' has a state of type " << stateType
           << "; a key and a counter are 'tensor<2xui64>', for Philox also "
              "'tensor<3xui64>'";
  if (type.getNumElements() == 0)
    return SmallVector<Value>{state, builder.splat(type, 0)};
  Bits scalar(builder, {});
  auto part = [&](int64_t at) {
    return builder.convert(
        builder.reshape(builder.slice(state, 0, at, at + 1), {}),
        scalar.type(64).getElementType());
  };
  Generator generator{builder, part(0), {part(1)}};
  int64_t numStates = stateType.getDimSize(0);
  if (!isThreefry)
    generator.counter.push_back(part(numStates == 3 ? 2 : 0));
  uint64_t steps = 0;
  Value bits = isThreefry
                   ? makeThreefry(generator, type.getShape(), width, steps)
                   : makePhilox(generator, type.getShape(), width, steps);
  Words next = generator.advance(scalar, scalar.number(64, steps));
  SmallVector<Value> parts{builder.slice(state, 0, 0, 1)};
  for (int64_t i = 0; i + 1 < numStates; ++i)
    parts.push_back(builder.convert(builder.reshape(next[i], 1),
                                    stateType.getElementType()));
  return SmallVector<Value>{builder.concatenate(parts, 0),
                            builder.convert(bits, type.getElementType())};
}

void addRandomImports(ImportTable &table) {
  table.functions["stablehlo.rng_bit_generator"] = importRngBits;
}

} // namespace partita::io
