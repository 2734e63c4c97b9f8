//===- KernelCompiler.cpp - Kernels to machine code -----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/KernelCompiler.h"

#include "codegen/cpu/ElementTypes.h"
#include "codegen/cpu/Linker.h"
#include "codegen/cpu/Schedule.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <atomic>
#include <thread>

using namespace llvm;

namespace partita::cpu {
namespace {

/// Kernels that share an LLVM module: enough to use a helper function or table
/// more than once, few enough to keep all threads busy.
constexpr size_t kKernelsPerModule = 8;

/// What one thread makes of some kernels.
struct ModuleResult {
  SmallVector<char, 0> object;
  std::string text;
  std::string error;
  mlir::Operation *failure = nullptr;
};

/// Compiles some of the kernels in a context of its own.
class ModuleCompiler {
public:
  ModuleCompiler(const CpuTarget &target, TargetMachine &machine)
      : target(target), machine(machine), module("kernels", context) {
    module.setDataLayout(machine.createDataLayout());
    module.setTargetTriple(machine.getTargetTriple());
  }

  void add(plan::KernelOp kernel, KernelInfo &info, ModuleResult &result) {
    Schedules schedules = makeSchedules(kernel, target);
    Function *body = makeBody(kernel);
    BodyEmitter emitter(body, target, kernel);
    info.numTiles = emitTiles(emitter, schedules, body);
    emitter.ir.CreateRetVoid();
    makeEntry(info.symbol, body);
    if (!result.failure)
      result.failure = emitter.getFailure();
  }

  void finish(ModuleResult &result, bool keepText) {
    for (Function &function : module)
      if (!function.isDeclaration())
        setAttributes(function);
    if (keepText)
      raw_string_ostream(result.text) << module;
    raw_string_ostream error(result.error);
    if (result.failure || verifyModule(module, &error))
      return;
    optimize();
    raw_svector_ostream stream(result.object);
    legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                    CodeGenFileType::ObjectFile)) {
      error << "this target cannot write object files";
      return;
    }
    passes.run(module);
  }

private:
  /// `void(ptr noalias..., i64 begin, i64 end)`: pointers as arguments, so that
  /// it can be said that they are disjoint.
  Function *makeBody(plan::KernelOp kernel) {
    unsigned buffers = kernel.getNumArguments() + kernel.getNumResults();
    SmallVector<Type *> types(buffers, PointerType::get(context, 0));
    types.append(2, Type::getInt64Ty(context));
    auto *function = Function::Create(
        FunctionType::get(Type::getVoidTy(context), types, false),
        GlobalValue::InternalLinkage, kernel.getSymName() + ".body", module);
    SmallVector<bool> mayShare(buffers, false);
    for (auto [argument, result] : kernel.getInplacePairs())
      mayShare[argument] = mayShare[kernel.getNumArguments() + result] = true;
    for (unsigned i = 0; i < buffers; ++i) {
      if (!mayShare[i])
        function->addParamAttr(i, Attribute::NoAlias);
      function->addParamAttr(i,
                             Attribute::getWithAlignment(context, Align(64)));
    }
    return function;
  }

  /// Deals the tiles [begin, end) of the kernel to its schedules.
  int64_t emitTiles(BodyEmitter &emitter, Schedules &schedules,
                    Function *body) {
    Value *begin = body->getArg(body->arg_size() - 2);
    Value *end = body->getArg(body->arg_size() - 1);
    IRBuilder<> &ir = emitter.ir;
    int64_t first = 0;
    for (std::unique_ptr<Schedule> &schedule : schedules) {
      int64_t count = schedule->getNumTiles();
      auto clamp = [&](Value *tile) {
        Value *own = ir.CreateSub(tile, ir.getInt64(first));
        own = ir.CreateBinaryIntrinsic(Intrinsic::smax, own, ir.getInt64(0));
        return ir.CreateBinaryIntrinsic(Intrinsic::smin, own,
                                        ir.getInt64(count));
      };
      Value *from = clamp(begin), *to = clamp(end);
      emitter.branch(ir.CreateICmpSLT(from, to),
                     [&] { schedule->emit(emitter, from, to); });
      first += count;
    }
    return std::max<int64_t>(first, 1);
  }

  void makeEntry(StringRef name, Function *body) {
    Type *pointer = PointerType::get(context, 0);
    Type *i64 = Type::getInt64Ty(context);
    auto *type =
        FunctionType::get(Type::getVoidTy(context), {pointer, i64, i64}, false);
    auto *function =
        Function::Create(type, GlobalValue::ExternalLinkage, name, module);
    IRBuilder<> ir(BasicBlock::Create(context, "entry", function));
    SmallVector<Value *> arguments;
    for (unsigned i = 0; i + 2 < body->arg_size(); ++i) {
      Value *at =
          ir.CreateConstInBoundsGEP1_64(pointer, function->getArg(0), i);
      arguments.push_back(ir.CreateLoad(pointer, at));
    }
    arguments.push_back(function->getArg(1));
    arguments.push_back(function->getArg(2));
    ir.CreateCall(body, arguments);
    ir.CreateRetVoid();
  }

  void setAttributes(Function &function) {
    function.addFnAttr("target-cpu", target.cpu);
    function.addFnAttr("target-features", target.features);
    function.addFnAttr("prefer-vector-width",
                       std::to_string(target.vectorBits));
    function.addFnAttr(Attribute::NoUnwind);
    function.addFnAttr("no-builtins");
  }

  /// Code is emitted as vectors and without repetition, so little is left to
  /// do: the full pipeline takes several times as long for the same speed.
  void optimize() {
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager graph;
    ModuleAnalysisManager modules;
    PassBuilder builder(&machine);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graph, modules);
    ModulePassManager passes;
    cantFail(builder.parsePassPipeline(
        passes, "function(sroa,early-cse,instcombine<no-verify-fixpoint>,"
                "simplifycfg,loop-mssa(licm),early-cse)"));
    passes.run(module, modules);
  }

  const CpuTarget &target;
  TargetMachine &machine;
  LLVMContext context;
  Module module;
};

/// Compiles all kernels, in groups, on several threads.
std::vector<ModuleResult> compileModules(ArrayRef<plan::KernelOp> kernels,
                                         std::vector<KernelInfo> &infos,
                                         const CpuTarget &target,
                                         const CpuOptions &options) {
  size_t count = divideCeil(kernels.size(), kKernelsPerModule);
  std::vector<ModuleResult> results(count);
  std::atomic<size_t> next = 0;
  auto work = [&] {
    std::unique_ptr<TargetMachine> machine = target.createMachine();
    for (size_t group = next++; group < count; group = next++) {
      ModuleCompiler compiler(target, *machine);
      // Every count-th kernel, since neighbours cost alike.
      for (size_t i = group; i < kernels.size(); i += count)
        compiler.add(kernels[i], infos[i], results[group]);
      compiler.finish(results[group], options.keepText);
    }
  };
  std::vector<std::thread> threads;
  size_t others = std::min<size_t>(std::max(options.threads, 1), count) - 1;
  for (size_t i = 0; i < others; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  return results;
}

KernelInfo describe(plan::KernelOp kernel) {
  KernelInfo info;
  info.symbol = kernel.getSymName().str();
  info.flops = countFlops(kernel);
  for (mlir::Type type : concat<const mlir::Type>(kernel.getArgumentTypes(),
                                                  kernel.getResultTypes())) {
    auto tensor = mlir::cast<mlir::RankedTensorType>(type);
    info.bytes +=
        tensor.getNumElements() * getElementBytes(tensor.getElementType());
  }
  return info;
}

} // namespace

mlir::FailureOr<CompiledKernels> compileKernels(mlir::ModuleOp module,
                                                const CpuTarget &target,
                                                const CpuOptions &options) {
  CompiledKernels compiled;
  SmallVector<plan::KernelOp> kernels(module.getOps<plan::KernelOp>());
  for (plan::KernelOp kernel : kernels)
    compiled.kernels.push_back(describe(kernel));
  if (kernels.empty())
    return compiled;
  if (!target.createMachine())
    return module.emitError("no code generator for '")
           << target.triple << "' in this LLVM; choose another target";
  std::vector<ModuleResult> results =
      compileModules(kernels, compiled.kernels, target, options);
  SmallVector<StringRef> objects;
  for (ModuleResult &result : results) {
    if (options.keepText)
      compiled.llvmText.push_back(result.text);
    if (result.failure)
      return result.failure->emitOpError(
          "has no code for the CPU with these element types; use the ref "
          "back-end");
    if (!result.error.empty())
      return module.emitError("the cpu back-end made invalid code: ")
             << result.error;
    objects.push_back(StringRef(result.object.data(), result.object.size()));
  }
  std::string error;
  if (!linkShared(objects, options.linker, compiled.sharedObject, error))
    return module.emitError("cannot link kernels: ") << error;
  return compiled;
}

} // namespace partita::cpu
