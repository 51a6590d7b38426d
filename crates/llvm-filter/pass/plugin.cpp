// The pass `farside-callbacks`: LLVM's thread sanitizer, whose callbacks are then made cheap.
//
// It runs where the vectoriser is about to start. Everything that makes loops simple has been done by then, and loops
// that are left without callbacks can still be vectorised. What the thread sanitizer announces there are the accesses
// of the scalar program: it knows none of more than 16 bytes, which vectors may be.
//
// Without optimisation nothing is moved out of loops, but pages are still asked for in place.
//
// Flang 19 has no option that asks for the sanitizer. With `FARSIDE_FILTER_ALL` in the environment, every function of a
// module is instrumented, and so is the module.

#include "callbacks.h"
#include "loops.h"
#include "memory.h"
#include "pages.h"
#include "sections.h"
#include "static_loops.h"

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Instrumentation/ThreadSanitizer.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <cstdlib>

using namespace llvm;

namespace {

/// Whether the sanitizer was at work in this module before; then it is optimised once more, when it is linked.
bool is_instrumented(const Module &module) { return module.getFunction("tsan.module_ctor"); }

/// Asks for the sanitizer in every function, as `-fsanitize=thread` does.
struct AskForAllPass : PassInfoMixin<AskForAllPass> {
    static bool isRequired() { return true; }

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
        if (!is_instrumented(module))
            for (Function &function : module)
                if (!function.isDeclaration())
                    function.addFnAttr(Attribute::SanitizeThread);
        return PreservedAnalyses::all();
    }
};

/// Announces parts of OpenMP's constructs while they still are as clang wrote them.
struct OpenMPPass : PassInfoMixin<OpenMPPass> {
    static bool isRequired() { return true; }

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
        if (is_instrumented(module))
            return PreservedAnalyses::all();
        farside::announce_sections(module);
        farside::announce_static_loops(module);
        return PreservedAnalyses::none();
    }
};

/// Makes the module call the sanitizer's runtime when it is loaded.
struct InitialisePass : PassInfoMixin<InitialisePass> {
    static bool isRequired() { return true; }

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
        return is_instrumented(module) ? PreservedAnalyses::all() : ModuleThreadSanitizerPass().run(module, analyses);
    }
};

struct CallbacksPass : PassInfoMixin<CallbacksPass> {
    explicit CallbacksPass(OptimizationLevel level) : level(level) {}

    /// Functions that must not be optimised are instrumented all the same.
    static bool isRequired() { return true; }

    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        if (function.isDeclaration() || !function.hasFnAttribute(Attribute::SanitizeThread))
            return PreservedAnalyses::all();
        if (is_instrumented(*function.getParent()))
            return PreservedAnalyses::all();
        const bool optimise = level != OptimizationLevel::O0 && !function.hasOptNone();
        if (optimise) {
            analyses.invalidate(function, LoopSimplifyPass().run(function, analyses));
            farside::leave_out_private_memory(function);
        }
        farside::announce_overlooked(function);
        analyses.invalidate(function, ThreadSanitizerPass().run(function, analyses));
        // The compiler's own run of the sanitizer, at the end of its pipeline, passes over this function.
        function.removeFnAttr(Attribute::SanitizeThread);
        function.addFnAttr(Attribute::DisableSanitizerInstrumentation);
        filter(function, analyses, optimise);
        return PreservedAnalyses::none();
    }

  private:
    static void filter(Function &function, FunctionAnalysisManager &analyses, bool whole_loops) {
        for (BasicBlock &block : function)
            for (Instruction &instruction : block)
                if (std::optional<farside::Access> access = farside::access_of(instruction))
                    farside::calm(*access->call);
        auto &loops = analyses.getResult<LoopAnalysis>(function);
        if (!whole_loops) {
            farside::check_pages(function, loops, nullptr);
            return;
        }
        auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
        farside::LoopBounds bounds{analyses.getResult<ScalarEvolutionAnalysis>(function),
                                   analyses.getResult<TargetIRAnalysis>(function)};
        farside::WholeLoops(function, loops, dominators, bounds.evolution, bounds.target).run();
        farside::check_pages(function, loops, &bounds);
    }

    OptimizationLevel level;
};

} // namespace

/// Called by LLVM when it has loaded the plugin: see `src/lib.rs`.
extern "C" void farside_filter_register(PassBuilder &builder) {
    builder.registerVectorizerStartEPCallback([](FunctionPassManager &passes, OptimizationLevel level) {
        passes.addPass(CallbacksPass(level));
    });
    if (std::getenv("FARSIDE_FILTER_ALL")) {
        builder.registerPipelineStartEPCallback(
            [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(AskForAllPass()); });
        builder.registerOptimizerLastEPCallback(
            [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(InitialisePass()); });
    }
    builder.registerPipelineStartEPCallback(
        [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(OpenMPPass()); });
    builder.registerPipelineParsingCallback(
        [](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
            const bool ours = name == "farside-callbacks";
            if (ours)
                passes.addPass(CallbacksPass(OptimizationLevel::O2));
            return ours;
        });
}
