// The pass `farside-callbacks`: LLVM's thread sanitizer, whose callbacks are then made cheap.
//
// It runs where the vectoriser is about to start. Everything that makes loops simple has been done by then, and
// loops that are left without callbacks can still be vectorised. What the thread sanitizer announces there are the accesses
// of the scalar program: it knows none of more than 16 bytes, which vectors may be.

#include "callbacks.h"
#include "loops.h"
#include "memory.h"
#include "pages.h"

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Instrumentation/ThreadSanitizer.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

using namespace llvm;

namespace {

struct CallbacksPass : PassInfoMixin<CallbacksPass> {
    /// Functions that must not be optimised are instrumented all the same.
    static bool isRequired() { return true; }

    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        if (function.isDeclaration() || !function.hasFnAttribute(Attribute::SanitizeThread))
            return PreservedAnalyses::all();
        // Optimised once more when it is linked: the sanitizer has been here.
        if (function.getParent()->getFunction("tsan.module_ctor"))
            return PreservedAnalyses::all();
        const bool optimise = !function.hasOptNone();
        if (optimise) {
            analyses.invalidate(function, LoopSimplifyPass().run(function, analyses));
            farside::leave_out_private_memory(function);
        }
        farside::announce_odd_sizes(function);
        analyses.invalidate(function, ThreadSanitizerPass().run(function, analyses));
        // The compiler's own run of the sanitizer, at the end of its pipeline, passes over this function.
        function.removeFnAttr(Attribute::SanitizeThread);
        function.addFnAttr(Attribute::DisableSanitizerInstrumentation);
        if (optimise)
            filter(function, analyses);
        return PreservedAnalyses::none();
    }

  private:
    static void filter(Function &function, FunctionAnalysisManager &analyses) {
        for (BasicBlock &block : function)
            for (Instruction &instruction : block)
                if (std::optional<farside::Access> access = farside::access_of(instruction))
                    farside::calm(*access->call);
        auto &loops = analyses.getResult<LoopAnalysis>(function);
        auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
        auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
        auto &target = analyses.getResult<TargetIRAnalysis>(function);
        farside::WholeLoops(function, loops, dominators, evolution, target).run();
        farside::check_pages(function, loops);
    }
};

} // namespace

/// Called by LLVM when it has loaded the plugin: see `src/lib.rs`.
extern "C" void farside_filter_register(PassBuilder &builder) {
    builder.registerVectorizerStartEPCallback([](FunctionPassManager &passes, OptimizationLevel level) {
        if (level != OptimizationLevel::O0)
            passes.addPass(CallbacksPass());
    });
    builder.registerPipelineParsingCallback(
        [](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
            const bool ours = name == "farside-callbacks";
            if (ours)
                passes.addPass(CallbacksPass());
            return ours;
        });
}
