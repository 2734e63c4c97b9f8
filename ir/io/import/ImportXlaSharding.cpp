//===- ImportXlaSharding.cpp - XLA's sharding strings ---------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mhlo.sharding` says how a tensor is cut into tiles, and gives the tiles to
// the devices in the order of their numbers, reshaped and transposed:
//
//   {devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}
//
// has two tiles along the first dimension, and four copies of each. Every
// factor of such an order is a part of the device number, as sub-axes of a mesh
// are; so a string becomes sub-axes of the module's mesh, which is a single
// axis of all devices where the module has none.
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/ImportSharding.h"

#include "ir/attrs/ShardingUtils.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace partita::io {

namespace {
/// A part of the device number: (device / (n / (pre * size))) % size of n.
struct Factor {
  int64_t pre = 1, size = 1;
};

/// What a string says.
struct Tiling {
  SmallVector<int64_t> tiles; ///< Along each dimension; none: one tile.
  SmallVector<Factor> order;  ///< Factors of the device number, major first.
};
} // namespace

static constexpr int64_t kMaxDevices = int64_t(1) << 31;

/// Reads `[1,2,3]`, or with other brackets.
static bool consumeList(StringRef &text, StringRef open, StringRef close,
                        SmallVectorImpl<int64_t> &list) {
  if (!text.consume_front(open))
    return false;
  do {
    if (text.consumeInteger(10, list.emplace_back()) || list.back() < 0)
      return false;
  } while (text.consume_front(","));
  return text.consume_front(close);
}

/// Reads `<=[4,2]T(1,0)`.
static bool consumeOrder(StringRef &text, SmallVectorImpl<Factor> &order) {
  SmallVector<int64_t> sizes, permutation;
  if (!consumeList(text, "<=[", "]", sizes) ||
      (text.starts_with("T") && !consumeList(text, "T(", ")", permutation)))
    return false;
  SmallVector<Factor> factors;
  int64_t pre = 1;
  for (int64_t size : sizes) {
    if (size < 1 || size > kMaxDevices / pre)
      return false;
    factors.push_back({pre, size});
    pre *= size;
  }
  if (permutation.empty())
    permutation = llvm::to_vector(llvm::seq<int64_t>(0, sizes.size()));
  llvm::SmallBitVector seen(sizes.size());
  for (int64_t from : permutation) {
    if (from >= static_cast<int64_t>(sizes.size()) || seen.test(from))
      return false;
    seen.set(from);
    order.push_back(factors[from]);
  }
  return seen.all();
}

/// Reads `0,1,2,3`, which must be the numbers in order.
static bool consumeNumbers(StringRef &text, SmallVectorImpl<Factor> &order) {
  int64_t count = 0, number = 0;
  do {
    if (text.consumeInteger(10, number) || number != count++)
      return false;
  } while (text.consume_front(","));
  order.push_back({1, count});
  return true;
}

static std::optional<Tiling> parseTiling(StringRef text) {
  Tiling tiling;
  if (!text.consume_front("{") || !text.consume_back("}"))
    return std::nullopt;
  text = text.split(" metadata=").first.trim();
  if (text == "replicated")
    return tiling;
  if (!text.consume_front("devices=") ||
      !consumeList(text, "[", "]", tiling.tiles) ||
      !(text.starts_with("<") ? consumeOrder(text, tiling.order)
                              : consumeNumbers(text, tiling.order)))
    return std::nullopt;
  text = text.trim();
  int64_t tiles = 1, devices = 1;
  for (int64_t count : tiling.tiles)
    if (llvm::MulOverflow(tiles, count, tiles))
      return std::nullopt;
  for (Factor factor : tiling.order)
    devices *= factor.size;
  if (tiles != devices)
    return std::nullopt;
  if (text == "last_tile_dim_replicate" ||
      text == "last_tile_dims={replicated}")
    tiling.tiles.pop_back(); // what is left of the devices holds copies
  else if (!text.empty())
    return std::nullopt;
  return tiling;
}

/// Takes the `count` outermost devices off an order, as factors.
static bool takeFactors(SmallVectorImpl<Factor> &order, int64_t count,
                        SmallVectorImpl<Factor> &taken) {
  while (count > 1) {
    if (order.empty())
      return false;
    Factor &first = order.front();
    if (count % first.size == 0) {
      count /= first.size;
      taken.push_back(first);
      order.erase(order.begin());
    } else if (first.size % count == 0) {
      taken.push_back({first.pre, count});
      first = {first.pre * count, first.size / count};
      count = 1;
    } else {
      return false;
    }
  }
  return true;
}

/// The sub-axes of a mesh that are a factor of its device numbers.
static bool appendAxes(core::MeshAttr mesh, Factor factor,
                       SmallVectorImpl<core::AxisRefAttr> &axes) {
  int64_t begin = 1, factorEnd = factor.pre * factor.size;
  for (core::MeshAxisAttr axis : mesh.getAxes()) {
    int64_t end = begin * axis.getSize();
    int64_t low = std::max(begin, factor.pre), high = std::min(end, factorEnd);
    if (low < high) {
      if (low % begin || high % low || end % high)
        return false;
      bool isWhole = low == begin && high == end;
      axes.push_back(core::AxisRefAttr::get(mesh.getContext(), axis.getName(),
                                            isWhole ? 1 : low / begin,
                                            isWhole ? 0 : high / low));
    }
    begin = end;
  }
  return true;
}

/// The mesh that strings refer to; made where the module has none.
static core::MeshOp getMesh(ModuleOp module, int64_t devices) {
  for (auto mesh : module.getOps<core::MeshOp>())
    return mesh;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  MLIRContext *context = module.getContext();
  auto axis = core::MeshAxisAttr::get(context, "devices", devices);
  return core::MeshOp::create(builder, module.getLoc(), "mesh",
                              core::MeshAttr::get(context, axis, {}));
}

/// The sharding in terms of a mesh of as many devices; null where it has none.
static ShardingAttr getSharding(core::MeshOp op, Tiling tiling, int64_t rank,
                                ArrayRef<int64_t> openDims) {
  core::MeshAttr mesh = op.getMesh();
  MLIRContext *context = op.getContext();
  if (!mesh.getDeviceIds().empty())
    return {};
  tiling.tiles.resize(rank, 1);
  SmallVector<core::DimShardingAttr> dims;
  for (auto [dim, count] : llvm::enumerate(tiling.tiles)) {
    SmallVector<Factor> factors;
    SmallVector<core::AxisRefAttr> axes;
    if (!takeFactors(tiling.order, count, factors))
      return {};
    for (Factor factor : factors)
      if (!appendAxes(mesh, factor, axes))
        return {};
    dims.push_back(core::DimShardingAttr::get(
        context, axes, llvm::is_contained(openDims, dim), 0));
  }
  return ShardingAttr::get(context, op.getSymNameAttr(), dims, {}, {},
                           ReductionKindValue::Sum);
}

ShardingAttr importXlaSharding(ModuleOp module, StringRef text, Type type,
                               Location loc, ArrayRef<int64_t> openDims) {
  if (text.trim().empty())
    return {}; // jax.export writes it where nothing is said
  auto warn = [&](const Twine &why) {
    emitWarning(loc) << "mhlo.sharding \"" << text << "\" is ignored: " << why
                     << "; annotate the value with sdy.sharding instead";
    return ShardingAttr();
  };
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<Tiling> tiling = parseTiling(text);
  if (!tiling || !tensor)
    return warn("only {replicated} and {devices=[…]} of tensors are known");
  bool isTiled = !tiling->order.empty();
  if (isTiled && static_cast<int64_t>(tiling->tiles.size()) != tensor.getRank())
    return warn("it cuts " + Twine(tiling->tiles.size()) +
                " dimensions of a tensor of rank " + Twine(tensor.getRank()));
  int64_t devices = 1;
  for (Factor factor : tiling->order)
    devices *= factor.size;
  auto partitions = module->getAttrOfType<IntegerAttr>("core.num_partitions");
  if (!isTiled && partitions)
    devices = std::min(partitions.getInt(), kMaxDevices);
  if (devices < 2 && module.getOps<core::MeshOp>().empty())
    return {}; // one device holds everything
  core::MeshOp mesh = getMesh(module, devices);
  if (isTiled && mesh.getMesh().toMesh().getNumDevices() != devices)
    return warn("it is for " + Twine(devices) + " devices, but mesh @" +
                mesh.getSymName() + " has " +
                Twine(mesh.getMesh().toMesh().getNumDevices()));
  if (ShardingAttr sharding =
          getSharding(mesh, *tiling, tensor.getRank(), openDims))
    return sharding;
  return warn("no axes of mesh @" + mesh.getSymName() +
              " order the devices so");
}

SmallVector<ShardingAttr> importXlaShardings(ModuleOp module, Operation *op) {
  auto text = op->getAttrOfType<StringAttr>(kXlaShardingAttrName);
  if (!text || op->getNumResults() == 0)
    return {};
  SmallVector<int64_t> openDims;
  if (auto config = op->getAttrOfType<StringAttr>("backend_config")) {
    StringRef rest = config;
    if (rest.consume_front("unspecified_dims="))
      consumeList(rest, "[", "]", openDims);
  }
  if (op->getNumResults() == 1)
    return {importXlaSharding(module, text, op->getResult(0).getType(),
                              op->getLoc(), openDims)};
  // One string in braces for each result, in braces once more.
  SmallVector<ShardingAttr> shardings;
  StringRef rest = text.getValue();
  rest.consume_front("{");
  for (Value result : op->getResults()) {
    size_t begin = rest.find('{'), end = rest.find('}');
    if (begin == StringRef::npos || end == StringRef::npos || end < begin)
      break;
    shardings.push_back(importXlaSharding(module, rest.slice(begin, end + 1),
                                          result.getType(), op->getLoc(), {}));
    rest = rest.drop_front(end + 1);
  }
  shardings.resize(op->getNumResults());
  return shardings;
}

} // namespace partita::io
