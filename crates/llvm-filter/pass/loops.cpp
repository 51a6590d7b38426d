#include "loops.h"

#include <llvm/IR/Module.h>

using namespace llvm;

namespace farside {

/// What the computation of a run may cost, in LLVM's units, a cheap instruction being one: it happens once a loop.
static constexpr unsigned RUN_BUDGET = 100;

/// Loops that surely have no more rounds together than this are left to checks of pages: one call costs as much.
static constexpr uint64_t FEW_RUN_ROUNDS = 32;

static bool quiet_loop(const Loop &loop) {
    for (BasicBlock *block : loop.blocks())
        for (Instruction &instruction : *block)
            if (!quiet(instruction))
                return false;
    return true;
}

Loop *outermost_quiet(const LoopInfo &loops, BasicBlock *block) {
    Loop *found = nullptr;
    for (Loop *loop = loops.getLoopFor(block); loop && quiet_loop(*loop); loop = loop->getParentLoop())
        found = loop;
    return found;
}

std::optional<uint64_t> few_latches(ScalarEvolution &evolution, Loop *loop, uint64_t few) {
    if (auto *most = dyn_cast<SCEVConstant>(evolution.getConstantMaxBackedgeTakenCount(loop));
        most && most->getAPInt().ult(few))
        return most->getAPInt().getZExtValue();
    // A loop within a triangle: `{3,+,-1}`, not entered where that is -1. As a number of rounds it would be too large
    // for any loop to come to its end.
    const SCEV *taken = evolution.getBackedgeTakenCount(loop);
    if (isa<SCEVCouldNotCompute>(taken))
        return std::nullopt;
    const APInt most = evolution.getSignedRangeMax(taken);
    return !most.isNegative() && most.ult(few) ? std::optional(most.getZExtValue()) : std::nullopt;
}

WholeLoops::WholeLoops(Function &function, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution,
                       TargetTransformInfo &target)
    : function(function), loops(loops), dominators(dominators), evolution(evolution), target(target),
      expander(evolution, function.getParent()->getDataLayout(), "farside") {}

bool WholeLoops::run() {
    bool changed = false;
    DenseMap<Loop *, Loop *> outermost;
    for (BasicBlock &block : function) {
        Loop *loop = loops.getLoopFor(&block);
        if (!loop)
            continue;
        auto [place, unknown] = outermost.try_emplace(loop, nullptr);
        if (unknown)
            place->second = outermost_quiet(loops, &block);
        Loop *whole = place->second;
        if (!whole)
            continue;
        for (Instruction &instruction : make_early_inc_range(block)) {
            std::optional<Access> access = access_of(instruction);
            if (!access)
                continue;
            if (std::optional<Run> run = run_of(*access, whole)) {
                announce(*access, *run);
                changed = true;
            }
        }
    }
    expander.clear();
    return changed;
}

/// Whether a block of the loop itself (not of a loop in it) is gone through exactly once in each round that is begun.
bool WholeLoops::every_round(BasicBlock *block, Loop *loop) const {
    if (loops.getLoopFor(block) != loop)
        return false;
    SmallVector<BasicBlock *, 4> ends;
    loop->getExitingBlocks(ends);
    loop->getLoopLatches(ends);
    return all_of(ends, [&](BasicBlock *end) { return dominators.dominates(block, end); });
}

/// The condition, the same in all rounds, by which a block is gone through in each round or in none.
std::optional<WholeLoops::Guard> WholeLoops::guard(BasicBlock *block, Loop *loop) const {
    BasicBlock *before = loops.getLoopFor(block) == loop ? block->getSinglePredecessor() : nullptr;
    auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1) ||
        !loop->isLoopInvariant(branch->getCondition()) || !every_round(before, loop))
        return std::nullopt;
    return Guard{branch->getCondition(), branch->getSuccessor(0) == block};
}

/// The address at the loop's first round, what each round adds, and the number of rounds (at least one).
std::optional<WholeLoops::Level> WholeLoops::leave(const SCEV *address, BasicBlock *block, Loop *loop) {
    if (!loop->getLoopPreheader())
        return std::nullopt;
    std::optional<Guard> condition;
    if (!every_round(block, loop)) {
        condition = guard(block, loop);
        if (!condition)
            return std::nullopt;
    }
    const SCEV *taken = evolution.getBackedgeTakenCount(loop);
    if (isa<SCEVCouldNotCompute>(taken) || evolution.getTypeSizeInBits(taken->getType()) > 64)
        return std::nullopt;
    Type *word = Type::getInt64Ty(function.getContext());
    const SCEV *rounds = evolution.getAddExpr(evolution.getNoopOrZeroExtend(taken, word), evolution.getOne(word));
    if (evolution.isLoopInvariant(address, loop))
        return Level{address, evolution.getZero(word), rounds, condition};
    auto *sequence = dyn_cast<SCEVAddRecExpr>(address);
    if (!sequence || sequence->getLoop() != loop || !sequence->isAffine())
        return std::nullopt;
    const SCEV *step = sequence->getStepRecurrence(evolution);
    return Level{sequence->getStart(), evolution.getNoopOrSignExtend(step, word), rounds, condition};
}

bool WholeLoops::worth(const Run &run, Loop *loop) {
    const SCEV *all[] = {run.base, run.count, run.stride, run.lines, run.pitch};
    return all_of(all, [&](const SCEV *each) { return expander.isSafeToExpandAt(each, run.before); }) &&
           !expander.isHighCostExpansion(all, loop, RUN_BUDGET, &target, run.before);
}

std::optional<WholeLoops::Run> WholeLoops::run_of(const Access &access, Loop *outermost) {
    BasicBlock *block = access.call->getParent();
    Loop *inner = loops.getLoopFor(block);
    const SCEV *address = evolution.getSCEV(access.address());
    std::optional<Level> line = leave(address, block, inner);
    if (!line)
        return std::nullopt;
    BasicBlock *entry = inner->getLoopPreheader();
    Loop *outer = inner->getParentLoop();
    const std::optional<uint64_t> latches = few_latches(evolution, inner, FEW_RUN_ROUNDS);
    const bool few_together =
        latches && inner != outermost && few_latches(evolution, outer, FEW_RUN_ROUNDS / (*latches + 1));
    if (inner != outermost && !few_together && evolution.isLoopInvariant(line->step, outer) &&
        evolution.isLoopInvariant(line->rounds, outer) &&
        (!line->guard || outer->isLoopInvariant(line->guard->condition))) {
        if (std::optional<Level> lines = leave(line->start, entry, outer)) {
            Run run{lines->start, line->rounds, line->step, lines->rounds, lines->step,
                    outer->getLoopPreheader()->getTerminator(), {}};
            if (line->guard)
                run.guards.push_back(*line->guard);
            if (lines->guard)
                run.guards.push_back(*lines->guard);
            if (worth(run, outer))
                return run;
        }
    }
    if (latches)
        return std::nullopt;
    Type *word = Type::getInt64Ty(function.getContext());
    Run run{line->start, line->rounds, line->step, evolution.getOne(word), evolution.getZero(word),
            entry->getTerminator(), {}};
    if (line->guard)
        run.guards.push_back(*line->guard);
    return worth(run, inner) ? std::optional(run) : std::nullopt;
}

void WholeLoops::announce(const Access &access, const Run &run) {
    auto value = [&](const SCEV *expression) {
        return expander.expandCodeFor(expression, expression->getType(), run.before->getIterator());
    };
    RunArguments arguments{value(run.base), value(run.count), value(run.stride), value(run.lines), value(run.pitch)};
    IRBuilder<> builder(run.before);
    // The place of the access: the report names the line that the return address of the callback belongs to.
    builder.SetCurrentDebugLocation(access.call->getDebugLoc());
    for (const Guard &guard : run.guards) {
        Value *none = builder.getInt64(0);
        arguments.lines = builder.CreateSelect(guard.condition, guard.wanted ? arguments.lines : none,
                                               guard.wanted ? none : arguments.lines);
    }
    announce_run(builder, access.store, access.size, arguments);
    access.call->eraseFromParent();
}

} // namespace farside
