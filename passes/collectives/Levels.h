//===- Levels.h - Ops that may become one ---------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Within a block and for one kind of ops, the *level* of an op is the largest
// number of ops of that kind on a path that leads to it. Between two of one
// level there is no path, thus they may be joined; and as every path leads from
// a lower level to a higher one, joining all levels makes no cycle.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_COLLECTIVES_LEVELS_H
#define PARTITA_PASSES_COLLECTIVES_LEVELS_H

#include "mlir/IR/Operation.h"

#include <map>

namespace partita {

/// The ops of one kind in a block, by level, each in block order.
std::map<int64_t, llvm::SmallVector<mlir::Operation *>>
getLevels(mlir::Block &block,
          llvm::function_ref<bool(mlir::Operation &)> isMember);

/// Moves what lies in front of `joined` and uses a result of `members`, which
/// are in block order, behind it, in the same order.
void moveUsersBehind(mlir::Operation *joined,
                     llvm::ArrayRef<mlir::Operation *> members);

} // namespace partita

#endif // PARTITA_PASSES_COLLECTIVES_LEVELS_H
