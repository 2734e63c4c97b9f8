//===- Mesh.h - Device meshes with named axes -------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mesh arranges N devices in a grid of named axes. Device ids are row-major
// over the axes (the first axis is the most significant) unless the mesh gives
// another order.
//
// A *sub-axis* is a contiguous factor of an axis: "x":(2)4 is the factor of
// size 4 that has a factor of size 2 in front of it (more significant). All
// algebra on axes is on sub-axes; a whole axis is the sub-axis with pre-size 1
// and the axis's own size. Notation after Shardy's sharding representation.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_MESH_MESH_H
#define PARTITA_MESH_MESH_H

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace partita {

/// The reduction that an unreduced value, a reduce op or a collective stands
/// for. The numeric values are stored in plan files: never renumber.
enum class ReductionKind : uint8_t {
  Sum = 0,
  Max = 1,
  Min = 2,
  Mul = 3,
  And = 4,
  Or = 5,
  Xor = 6
};
inline constexpr int kNumReductionKinds = 7;
/// "sum", "max", …
std::string_view getName(ReductionKind kind);
std::optional<ReductionKind> parseReductionKind(std::string_view name);

struct MeshAxis {
  std::string name;
  int64_t size = 1;
  friend bool operator==(const MeshAxis &, const MeshAxis &) = default;
};

/// A sub-axis of axis number `axis` of some mesh: the factor of size `size`
/// behind a more significant factor of size `pre`.
struct AxisRef {
  int32_t axis = 0;
  int64_t pre = 1;
  int64_t size = 1;
  friend auto operator<=>(const AxisRef &, const AxisRef &) = default;

  /// The pre-size of what follows this factor.
  int64_t end() const { return pre * size; }
  /// Whether the two share a factor (overlap as intervals [pre, end)).
  bool overlaps(const AxisRef &other) const {
    return axis == other.axis && pre < other.end() && other.pre < end();
  }
};

class Mesh {
public:
  Mesh() = default;
  /// `deviceIds`: empty for row-major order, else a permutation of 0 … N-1.
  explicit Mesh(std::vector<MeshAxis> theAxes,
                std::vector<int64_t> theDeviceIds = {});

  std::span<const MeshAxis> getAxes() const { return axes; }
  std::span<const int64_t> getDeviceIds() const { return deviceIds; }
  /// The number of devices; 1 for a mesh without axes.
  int64_t getNumDevices() const { return numDevices; }
  int64_t getAxisSize(int32_t axis) const { return axes[axis].size; }
  std::optional<int32_t> findAxis(std::string_view name) const;
  AxisRef getWholeAxis(int32_t axis) const {
    return AxisRef{axis, 1, axes[axis].size};
  }

  /// The coordinate of a device along a sub-axis, in [0, ref.size).
  int64_t getCoordinate(int64_t device, const AxisRef &ref) const;
  /// The coordinate along several sub-axes, the first most significant.
  int64_t getCoordinate(int64_t device, std::span<const AxisRef> refs) const;

  /// Devices that differ only along `refs`, as groups. Within a group the
  /// order is by coordinate along `refs` (the first most significant); groups
  /// are ordered by their first device's position in the mesh.
  std::vector<std::vector<int64_t>>
  getGroups(std::span<const AxisRef> refs) const;

  /// "x" for a whole axis, "x":(2)4 for a sub-axis.
  std::string toString(const AxisRef &ref) const;

  friend bool operator==(const Mesh &a, const Mesh &b) {
    return a.axes == b.axes && a.deviceIds == b.deviceIds;
  }

private:
  std::vector<MeshAxis> axes;
  std::vector<int64_t> deviceIds; // position in the grid -> device id
  std::vector<int64_t> positions; // device id -> position in the grid
  int64_t numDevices = 1;
};

/// The product of the sizes.
int64_t getProduct(std::span<const AxisRef> refs);

/// Merges neighbours that continue one another ("x":(1)2, "x":(2)4 -> "x":(1)8)
/// and drops factors of size 1.
std::vector<AxisRef> normalize(std::span<const AxisRef> refs);

} // namespace partita

#endif // PARTITA_MESH_MESH_H
