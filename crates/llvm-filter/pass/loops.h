// Loops as a whole: what an access in a loop touches in all rounds, as a run.
#pragma once

#include "callbacks.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <optional>

namespace farside {

/// The outermost quiet loop around a block, or null. In it, nothing changes what is watched.
llvm::Loop *outermost_quiet(const llvm::LoopInfo &loops, llvm::BasicBlock *block);

/// A number that the loop's latch is surely gone through no more often than, if it is less than `few`.
std::optional<uint64_t> few_latches(llvm::ScalarEvolution &evolution, llvm::Loop *loop, uint64_t few);

/// Replaces callbacks in quiet loops by one announcement of a whole run before the loop, or before the loop around it.
///
/// Only where that is exact: the address is affine, the number of rounds is known before the first, and the access
/// happens in every round, or in none by a condition that stays the same. Two levels of loops at most become one run.
class WholeLoops {
  public:
    WholeLoops(llvm::Function &function, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
               llvm::ScalarEvolution &evolution, llvm::TargetTransformInfo &target);

    /// Whether anything changed. The control flow stays as it is.
    bool run();

  private:
    /// A condition that does not change in the loop.
    struct Guard {
        llvm::Value *condition;
        bool wanted;
    };
    struct Level {
        const llvm::SCEV *start, *step, *rounds;
        std::optional<Guard> guard;
    };
    struct Run {
        const llvm::SCEV *base, *count, *stride, *lines, *pitch;
        llvm::Instruction *before;
        llvm::SmallVector<Guard, 2> guards;
    };

    bool every_round(llvm::BasicBlock *block, llvm::Loop *loop) const;
    std::optional<Guard> guard(llvm::BasicBlock *block, llvm::Loop *loop) const;
    std::optional<Level> leave(const llvm::SCEV *address, llvm::BasicBlock *block, llvm::Loop *loop);
    bool worth(const Run &run, llvm::Loop *loop);
    std::optional<Run> run_of(const Access &access, llvm::Loop *outermost);
    void announce(const Access &access, const Run &run);

    llvm::Function &function;
    llvm::LoopInfo &loops;
    llvm::DominatorTree &dominators;
    llvm::ScalarEvolution &evolution;
    llvm::TargetTransformInfo &target;
    llvm::SCEVExpander expander;
};

} // namespace farside
