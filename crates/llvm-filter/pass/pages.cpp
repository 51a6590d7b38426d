#include "pages.h"

#include "callbacks.h"
#include "loops.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

namespace farside {

static constexpr unsigned PAGE_SHIFT = 12;
static constexpr int64_t PAGE = 1 << PAGE_SHIFT;
/// The bits of a page's byte that count its watchers.
static constexpr uint8_t WATCHERS = 0x7f;
/// Pieces of memory that are asked for together: their addresses must all be kept until then.
static constexpr size_t TOGETHER = 8;
/// What the bounds of a piece in a loop may cost before it, in LLVM's units, a cheap instruction being one.
static constexpr unsigned BUDGET = 50;
/// Pieces whose bounds are asked for before a loop: each takes a call.
static constexpr size_t BOUNDED = 4;

namespace {

/// Bytes `[low, high)` beyond `base`, of a page's size at most.
struct Piece {
    Value *base;
    int64_t low, high;
    Value *lowest; // The address of the byte `low`.
    Align align;   // Of that byte.

    /// Whether it surely lies in one page.
    bool one_page() const { return uint64_t(high - low) <= align.value(); }
};

/// Callbacks of one block that are called together or not at all.
struct Batch {
    SmallVector<CallInst *, 8> calls;
    SmallVector<Piece, 8> pieces;
    /// Whether one of the pieces can lie in a watched page in any round of the loop; null where that is not known
    /// before it.
    Value *reachable = nullptr;
};

/// The table and its mask, loaded.
struct Table {
    Value *bytes, *mask;
};

class PageChecks {
  public:
    PageChecks(Function &function, LoopInfo &loops, LoopBounds *bounds)
        : function(function), loops(loops), bounds(bounds), layout(function.getParent()->getDataLayout()) {}
    bool run();

  private:
    void collect(BasicBlock &block);
    void add(Batch &batch, const Access &access);
    Table table(Instruction *before);
    Value *reachable(const Batch &batch);
    void check(Batch &batch);
    Value *byte(IRBuilder<> &builder, const Table &table, Value *address);

    Function &function;
    LoopInfo &loops;
    LoopBounds *bounds;
    const DataLayout &layout;
    SmallVector<Batch, 0> batches;
    DenseMap<BasicBlock *, Instruction *> entries; // Where the table is loaded for the checks of a block.
    DenseMap<Instruction *, Table> loaded;
};

bool PageChecks::run() {
    for (BasicBlock &block : function)
        collect(block);
    for (Batch &batch : batches)
        if (Loop *loop = outermost_quiet(loops, batch.calls.front()->getParent()))
            if (BasicBlock *entry = loop->getLoopPreheader())
                entries[batch.calls.front()->getParent()] = entry->getTerminator();
    // All bounds before the first change of the control flow.
    if (bounds)
        for (Batch &batch : batches)
            batch.reachable = reachable(batch);
    for (Batch &batch : batches)
        check(batch);
    return !batches.empty();
}

void PageChecks::collect(BasicBlock &block) {
    Batch batch;
    auto finish = [&] {
        if (!batch.calls.empty())
            batches.push_back(std::exchange(batch, Batch()));
    };
    for (Instruction &instruction : block) {
        if (std::optional<Access> access = access_of(instruction)) {
            add(batch, *access);
            if (batch.pieces.size() == TOGETHER)
                finish();
        } else if (!quiet(instruction)) {
            finish();
        }
    }
    finish();
}

void PageChecks::add(Batch &batch, const Access &access) {
    batch.calls.push_back(access.call);
    APInt offset(layout.getIndexTypeSizeInBits(access.address()->getType()), 0);
    Value *base = access.address()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
    const int64_t low = offset.getSExtValue(), high = low + access.size;
    // `__tsan_read8` promises natural alignment; that of 16 bytes may be 8 only, and `unaligned` promises nothing.
    const StringRef name = access.call->getCalledFunction()->getName();
    const bool aligned = !name.contains("unaligned") && !name.contains("range");
    const Align align(aligned ? std::min(access.size, 8u) : 1);
    for (Piece &piece : batch.pieces) {
        const int64_t lowest = std::min(piece.low, low), highest = std::max(piece.high, high);
        if (piece.base != base || highest - lowest > PAGE)
            continue;
        if (low < piece.low) {
            piece.lowest = access.address();
            piece.align = align;
        } else if (low == piece.low) {
            piece.align = std::max(piece.align, align);
        }
        piece.low = lowest;
        piece.high = highest;
        return;
    }
    batch.pieces.push_back({base, low, high, access.address(), align});
}

/// Asks before the innermost loop, once, whether any address that the pieces can have in it is watched.
///
/// That holds throughout the loop, in which nothing changes what is watched; another thread cannot, for all accesses
/// count as watched while there is one. Rounds that skip the accesses, and those after the loop was left early, make
/// the bounds wider than need be, which costs the look at the table and nothing else.
Value *PageChecks::reachable(const Batch &batch) {
    BasicBlock *block = batch.calls.front()->getParent();
    Loop *loop = outermost_quiet(loops, block) ? loops.getLoopFor(block) : nullptr;
    BasicBlock *entry = loop ? loop->getLoopPreheader() : nullptr;
    if (!entry || batch.pieces.size() > BOUNDED)
        return nullptr;
    ScalarEvolution &evolution = bounds->evolution;
    const SCEV *taken = evolution.getSymbolicMaxBackedgeTakenCount(loop);
    if (isa<SCEVCouldNotCompute>(taken) || evolution.getTypeSizeInBits(taken->getType()) > 64)
        return nullptr;
    Type *word = Type::getInt64Ty(function.getContext());
    const SCEV *rounds = evolution.getAddExpr(evolution.getNoopOrZeroExtend(taken, word), evolution.getOne(word));
    struct Line {
        const SCEV *base, *step;
        int64_t size;
    };
    SmallVector<Line, BOUNDED> lines;
    SmallVector<const SCEV *, 8> all{rounds};
    for (const Piece &piece : batch.pieces) {
        const SCEV *address = evolution.getSCEV(piece.lowest);
        const SCEV *step = evolution.getZero(word);
        if (auto *sequence = dyn_cast<SCEVAddRecExpr>(address); sequence && sequence->getLoop() == loop && sequence->isAffine()) {
            step = evolution.getNoopOrSignExtend(sequence->getStepRecurrence(evolution), word);
            address = sequence->getStart();
        }
        if (!evolution.isLoopInvariant(address, loop) || !evolution.isLoopInvariant(step, loop))
            return nullptr;
        lines.push_back({address, step, piece.high - piece.low});
        all.append({address, step});
    }
    Instruction *before = entry->getTerminator();
    SCEVExpander expander(evolution, layout, "farside");
    if (!all_of(all, [&](const SCEV *each) { return expander.isSafeToExpandAt(each, before); }) ||
        expander.isHighCostExpansion(all, loop, BUDGET, &bounds->target, before))
        return nullptr;
    auto value = [&](const SCEV *expression) {
        return expander.expandCodeFor(expression, expression->getType(), before->getIterator());
    };
    Value *count = value(rounds), *found = nullptr;
    for (const Line &line : lines) {
        Value *base = value(line.base), *step = value(line.step);
        IRBuilder<> builder(before);
        builder.SetCurrentDebugLocation(batch.calls.front()->getDebugLoc());
        Value *each = ask_line(builder, line.size, {base, count, step, nullptr, nullptr});
        found = found ? builder.CreateOr(found, each) : each;
    }
    return found;
}

Table PageChecks::table(Instruction *before) {
    Module &module = *function.getParent();
    IRBuilder<> builder(before);
    Type *word = builder.getInt64Ty(), *pointer = builder.getPtrTy();
    // The mask first: the library stores the table before the mask that fits it.
    LoadInst *mask = builder.CreateAlignedLoad(word, module.getOrInsertGlobal("__farside_page_mask", word), Align(8));
    mask->setAtomic(AtomicOrdering::Acquire);
    Value *bytes =
        builder.CreateAlignedLoad(pointer, module.getOrInsertGlobal("__farside_page_table", pointer), Align(8));
    return {bytes, mask};
}

Value *PageChecks::byte(IRBuilder<> &builder, const Table &table, Value *address) {
    Value *page = builder.CreateLShr(builder.CreatePtrToInt(address, builder.getInt64Ty()), PAGE_SHIFT);
    Value *place = builder.CreateGEP(builder.getInt8Ty(), table.bytes, builder.CreateAnd(page, table.mask));
    LoadInst *byte = builder.CreateAlignedLoad(builder.getInt8Ty(), place, Align(1));
    // Other threads may begin to watch.
    byte->setAtomic(AtomicOrdering::Unordered);
    return byte;
}

void PageChecks::check(Batch &batch) {
    Instruction *last = batch.calls.back();
    MDNode *unlikely = MDBuilder(function.getContext()).createBranchWeights(1, (1u << 20) - 1);
    auto only_if = [&](Value *condition, Instruction *before) {
        return SplitBlockAndInsertIfThen(condition, before->getIterator(), /*Unreachable=*/false, unlikely);
    };
    const DebugLoc place = last->getDebugLoc();
    if (batch.reachable)
        last = only_if(batch.reachable, last);
    Table table;
    if (Instruction *entry = entries.lookup(batch.calls.front()->getParent())) {
        auto [place, unknown] = loaded.try_emplace(entry);
        if (unknown)
            place->second = this->table(entry);
        table = place->second;
    } else {
        table = this->table(last);
    }
    IRBuilder<> builder(last);
    builder.SetCurrentDebugLocation(place);
    Value *watchers = nullptr;
    auto look = [&](Value *address) {
        Value *each = byte(builder, table, address);
        watchers = watchers ? builder.CreateOr(watchers, each) : each;
    };
    for (const Piece &piece : batch.pieces) {
        look(piece.lowest);
        if (!piece.one_page())
            look(builder.CreateGEP(builder.getInt8Ty(), piece.lowest, builder.getInt64(piece.high - piece.low - 1)));
    }
    Value *watched =
        builder.CreateICmpNE(builder.CreateAnd(watchers, builder.getInt8(WATCHERS)), builder.getInt8(0));
    Instruction *end = only_if(watched, last);
    for (CallInst *call : batch.calls)
        call->moveBefore(end);
}

} // namespace

bool check_pages(Function &function, LoopInfo &loops, LoopBounds *bounds) {
    return PageChecks(function, loops, bounds).run();
}

} // namespace farside
