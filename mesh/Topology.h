//===- Topology.h - Links between the devices of a mesh ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every mesh axis has a link class: what one device can send along that axis,
// and what a message costs before its first byte. The cost model knows nothing
// else about the machine.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_MESH_TOPOLOGY_H
#define PARTITA_MESH_TOPOLOGY_H

#include <cstdint>
#include <vector>

namespace partita {

/// One kind of link. The defaults describe virtual devices in one process,
/// which exchange data by copies within shared memory.
struct LinkClass {
  double bytesPerSecond = 4e9;  ///< Sent by one device, one direction.
  double latencySeconds = 1e-6; ///< Per message.
  friend bool operator==(const LinkClass &, const LinkClass &) = default;
};

struct Topology {
  /// By mesh axis; axes beyond the end have the default class.
  std::vector<LinkClass> links;
  LinkClass defaultLink;
  /// What starting any collective costs, beside its messages.
  double launchSeconds = 5e-6;
  /// What a device's own memory copies (slice, pad) run at.
  double copyBytesPerSecond = 8e9;

  LinkClass getLink(int32_t axis) const {
    return static_cast<size_t>(axis) < links.size() ? links[axis] : defaultLink;
  }
  friend bool operator==(const Topology &, const Topology &) = default;
};

} // namespace partita

#endif // PARTITA_MESH_TOPOLOGY_H
