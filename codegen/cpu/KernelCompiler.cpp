//===- KernelCompiler.cpp - Kernels to machine code -----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/KernelCompiler.h"

#include "codegen/cpu/ElementTypes.h"
#include "codegen/cpu/Linker.h"
#include "codegen/cpu/MicroKernel.h"
#include "codegen/cpu/Schedule.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <atomic>
#include <set>
#include <thread>

using namespace llvm;

namespace partita::cpu {
namespace {

/// Kernels that share an LLVM module: enough to use a helper function or table
/// more than once, few enough to keep all threads busy.
constexpr size_t kKernelsPerModule = 8;

/// Whether a kernel takes no longer than the call of it, however it is made.
bool isSmall(const KernelInfo &info) {
  return info.flops <= 256 && info.bytes <= 512;
}

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
      : target(target), module("kernels", context) {
    module.setDataLayout(machine.createDataLayout());
    module.setTargetTriple(machine.getTargetTriple());
  }

  /// Micro-kernels that the kernels added so far call.
  void findMicroKernels(std::set<MicroKernel> &found) const {
    for (const Function &function : module)
      if (std::optional<MicroKernel> kernel = findMicroKernel(function))
        found.insert(*kernel);
  }

  void add(const MicroKernel &kernel) {
    defineMicroKernel(module, target, kernel);
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

  void finish(TargetMachine &machine, ModuleResult &result, bool keepText) {
    for (Function &function : module)
      if (!function.isDeclaration())
        setAttributes(function);
    if (keepText)
      raw_string_ostream(result.text) << module;
    raw_string_ostream error(result.error);
    if (result.failure || verifyModule(module, &error))
      return;
    optimize(machine);
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
  void optimize(TargetMachine &machine) {
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
  LLVMContext context;
  Module module;
};

/// Kernels of one module, or the micro-kernels that all of them share.
struct Group {
  SmallVector<size_t> kernels;
  bool isSmall = false;
  std::unique_ptr<ModuleCompiler> compiler;
  ModuleResult result;
};

/// Compiles all kernels, in groups, on several threads.
class GroupCompiler {
public:
  GroupCompiler(ArrayRef<plan::KernelOp> kernels,
                std::vector<KernelInfo> &infos, const CpuTarget &target,
                const CpuOptions &options)
      : kernels(kernels), infos(infos), target(target), options(options) {}

  std::vector<ModuleResult> run() {
    makeGroups();
    forEach([&](Group &group, TargetMachine &machine) {
      group.compiler = std::make_unique<ModuleCompiler>(target, machine);
      for (size_t kernel : group.kernels)
        group.compiler->add(kernels[kernel], infos[kernel], group.result);
    });
    std::set<MicroKernel> microKernels;
    for (const Group &group : groups)
      group.compiler->findMicroKernels(microKernels);
    if (!microKernels.empty()) {
      Group &group = groups.emplace_back();
      group.compiler =
          std::make_unique<ModuleCompiler>(target, *target.createMachine());
      for (const MicroKernel &kernel : microKernels)
        group.compiler->add(kernel);
    }
    forEach([&](Group &group, TargetMachine &machine) {
      group.compiler->finish(machine, group.result, options.keepText);
      group.compiler.reset();
    });
    std::vector<ModuleResult> results;
    results.reserve(groups.size());
    for (Group &group : groups)
      results.push_back(std::move(group.result));
    return results;
  }

private:
  /// Small kernels, whose speed does not matter, apart from and in front of the
  /// others.
  void makeGroups() {
    SmallVector<size_t> bySize[2];
    for (size_t i = 0; i < kernels.size(); ++i)
      bySize[isSmall(infos[i])].push_back(i);
    for (bool isSmall : {true, false}) {
      size_t first = groups.size();
      size_t count = divideCeil(bySize[isSmall].size(), kKernelsPerModule);
      groups.resize(first + count);
      // Every count-th kernel, since neighbours cost alike.
      for (auto [place, kernel] : enumerate(bySize[isSmall])) {
        groups[first + place % count].kernels.push_back(kernel);
        groups[first + place % count].isSmall = isSmall;
      }
    }
  }

  /// Works on all groups, the last and longest first, with machines of the
  /// thread's own.
  void forEach(function_ref<void(Group &, TargetMachine &)> action) {
    std::atomic<size_t> next = 0;
    auto work = [&] {
      std::unique_ptr<TargetMachine> machines[2]; // by whether small
      for (size_t at = next++; at < groups.size(); at = next++) {
        Group &group = groups[groups.size() - 1 - at];
        std::unique_ptr<TargetMachine> &machine = machines[group.isSmall];
        if (!machine)
          machine = target.createMachine(!group.isSmall);
        action(group, *machine);
      }
    };
    size_t others =
        std::min<size_t>(std::max(options.threads, 1), groups.size()) - 1;
    std::vector<std::thread> threads;
    threads.reserve(others);
    for (size_t i = 0; i < others; ++i)
      threads.emplace_back(work);
    work();
    for (std::thread &thread : threads)
      thread.join();
  }

  ArrayRef<plan::KernelOp> kernels;
  std::vector<KernelInfo> &infos;
  const CpuTarget &target;
  const CpuOptions &options;
  std::vector<Group> groups;
};

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
      GroupCompiler(kernels, compiled.kernels, target, options).run();
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
