//===- Attributes.td - Meshes and shardings in IR ----------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_ATTRS_ATTRIBUTES_TD
#define PARTITA_IR_ATTRS_ATTRIBUTES_TD

include "ir/core/CoreBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Core_ReductionKind : I32EnumAttr<"ReductionKindValue",
    "How partial values combine",
    [I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">,
     I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Mul", 3, "mul">,
     I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">,
     I32EnumAttrCase<"Xor", 6, "xor">]> {
  let cppNamespace = "::partita";
  let genSpecializedAttr = 0;
}

def Core_ComparisonKind : I32EnumAttr<"Comparison", "How two elements compare",
    [I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">,
     I32EnumAttrCase<"Lt", 2, "lt">, I32EnumAttrCase<"Le", 3, "le">,
     I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">]> {
  let cppNamespace = "::partita";
  let genSpecializedAttr = 0;
}
def Core_ComparisonAttr : EnumAttr<Core_Dialect, Core_ComparisonKind, "comparison">;

class Core_Attr<string name, string mnem> : AttrDef<Core_Dialect, name> {
  let mnemonic = mnem;
}

def Core_ReductionAttr : Core_Attr<"Reduction", "reduction"> {
  let summary = "A reduction kind";
  let parameters = (ins EnumParameter<Core_ReductionKind>:$value);
  let assemblyFormat = "$value";
  let builders = [AttrBuilder<(ins "::partita::ReductionKind":$kind), [{
    return $_get($_ctxt, static_cast<ReductionKindValue>(kind));
  }]>];
  let extraClassDeclaration = [{
    ::partita::ReductionKind getKind() const {
      return static_cast<::partita::ReductionKind>(getValue());
    }
  }];
}

def Core_MeshAxisAttr : Core_Attr<"MeshAxis", "mesh_axis"> {
  let summary = "A named axis of a mesh and its size";
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$size);
  let assemblyFormat = "`<` $name `=` $size `>`";
}

def Core_MeshAttr : Core_Attr<"Mesh", "mesh"> {
  let summary = "A grid of devices with named axes";
  let description = [{
    `<["data"=4, "model"=2]>`, with `, device_ids=[…]` where the devices are
    not numbered in row-major order.
  }];
  let parameters = (ins ArrayRefParameter<"MeshAxisAttr">:$axes,
                        OptionalArrayRefParameter<"int64_t">:$deviceIds);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The mesh as the algebra in mesh/ sees it.
    ::partita::Mesh toMesh() const;
    static MeshAttr fromMesh(::mlir::MLIRContext *context,
                             const ::partita::Mesh &mesh);
  }];
}

def Core_AxisRefAttr : Core_Attr<"AxisRef", "axis"> {
  let summary = "A whole axis, or a factor of one";
  let description = [{
    `"x"` is a whole axis; `"x":(2)4` is its factor of size 4 behind a more
    significant factor of size 2. `size` is 0 for a whole axis.
  }];
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$pre, "int64_t":$size);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The axis must exist in the mesh.
    ::partita::AxisRef toAxisRef(const ::partita::Mesh &mesh) const;
    static AxisRefAttr fromAxisRef(::mlir::MLIRContext *context,
                                   const ::partita::Mesh &mesh,
                                   const ::partita::AxisRef &ref);
  }];
}

def Core_AxesAttr : Core_Attr<"Axes", "axes"> {
  let summary = "A list of (sub-)axes, the first most significant";
  let description = [{`{"x", "y":(1)2}`: the axes that a collective works over.}];
  let parameters = (ins OptionalArrayRefParameter<"AxisRefAttr">:$axes);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::std::vector<::partita::AxisRef> toAxes(const ::partita::Mesh &mesh) const;
    static AxesAttr fromAxes(::mlir::MLIRContext *context,
                             const ::partita::Mesh &mesh,
                             ::llvm::ArrayRef<::partita::AxisRef> refs);
  }];
}

def Core_DimShardingAttr : Core_Attr<"DimSharding", "dim"> {
  let summary = "The axes that split one dimension, major to minor";
  let parameters = (ins OptionalArrayRefParameter<"AxisRefAttr">:$axes,
                        "bool":$isOpen, "int64_t":$priority);
  let hasCustomAssemblyFormat = 1;
}

def Core_ShardingAttr : Core_Attr<"Sharding", "sharding"> {
  let summary = "How a tensor lies on a mesh";
  let description = [{
    `<@mesh, [{"data"}, {"model", ?}p1], replicated={"x"}, unreduced=max{"y"}>`.
    The text is that of Shardy's `#sdy.sharding`. A dimension is closed, or open
    (`?`) when propagation may add axes to it; `p1` is its user priority, 0 where
    none is written. Along `unreduced` axes devices hold partial values.
  }];
  let parameters = (ins "::mlir::StringAttr":$mesh,
                        OptionalArrayRefParameter<"DimShardingAttr">:$dims,
                        OptionalArrayRefParameter<"AxisRefAttr">:$replicated,
                        OptionalArrayRefParameter<"AxisRefAttr">:$unreduced,
                        EnumParameter<Core_ReductionKind>:$unreducedKind);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return static_cast<int64_t>(getDims().size()); }
    ::partita::ReductionKind getReductionKind() const {
      return static_cast<::partita::ReductionKind>(getUnreducedKind());
    }
    /// The value that the algebra in mesh/ works on. All axes must exist.
    ::partita::TensorSharding toSharding(const ::partita::Mesh &mesh) const;
    /// `meshName` is the symbol of the mesh that `mesh` was made from.
    static ShardingAttr fromSharding(::mlir::StringAttr meshName,
                                     const ::partita::Mesh &mesh,
                                     const ::partita::TensorSharding &sharding);
    /// Checks axes, sizes and rank against the mesh and the tensor's type.
    ::llvm::LogicalResult verifyFor(
        MeshAttr mesh, ::mlir::Type type,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const;
  }];
}

#endif // PARTITA_IR_ATTRS_ATTRIBUTES_TD
