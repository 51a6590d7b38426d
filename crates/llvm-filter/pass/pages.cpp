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
static constexpr unsigned BOUNDS_BUDGET = 50;
/// Pieces whose bounds are asked for before a loop: each takes a call.
static constexpr size_t BOUNDED = 4;
/// Rounds below which each looks for itself at less cost (`loops.rs` of `interpose` says yes to fewer).
static constexpr uint64_t FEW_PAGE_ROUNDS = 32;

namespace {

/// Bytes `[low, high)` beyond `base`, of a page's size at most.
struct Piece {
    Value *base;
    int64_t low, high;
    Value *lowest; // The address of the byte `low`.
    Align align;   // Of that byte.
    SmallVector<CallInst *, 4> calls;

    /// Whether it surely lies in one page.
    bool one_page() const { return uint64_t(high - low) <= align.value(); }
};

/// Callbacks of one block whose pages are asked for together.
struct Batch {
    SmallVector<Piece, 8> pieces;
    CallInst *first = nullptr, *last = nullptr;
    /// Whether one of the pieces can lie in a watched page in any round of the loop; null where that is not known
    /// before it.
    Value *reachable = nullptr;
};

/// Bytes `[low, high)` beyond an address, which is known before a loop.
struct Extent {
    const SCEV *start;
    int64_t low, high;
};

/// A look before a loop that answers for several batches in it, and in loops in it.
struct Question {
    Loop *before;
    Extent extent; // Its start is without a constant summand.
    SmallVector<Batch *, 4> batches;
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
    std::optional<Extent> over_rounds(const Extent &bytes, Loop *loop);
    bool bounded(Batch &batch, SmallVectorImpl<Question> &questions);
    void ask(const Question &question);
    void check(Batch &batch);
    Value *byte(IRBuilder<> &builder, const Table &table, Value *address);
    static Value *watched(IRBuilder<> &builder, Value *byte);
    Table table_for(const Batch &batch, Instruction *place);

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
        if (Loop *loop = outermost_quiet(loops, batch.first->getParent()))
            if (BasicBlock *entry = loop->getLoopPreheader())
                entries[batch.first->getParent()] = entry->getTerminator();
    // All bounds before the first change of the control flow.
    if (bounds) {
        SmallVector<Question, 0> questions;
        for (Batch &batch : batches)
            if (!bounded(batch, questions))
                batch.reachable = reachable(batch);
        for (const Question &question : questions)
            ask(question);
    }
    for (Batch &batch : batches)
        check(batch);
    return !batches.empty();
}

void PageChecks::collect(BasicBlock &block) {
    Batch batch;
    auto finish = [&] {
        if (batch.first)
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
    batch.last = access.call;
    if (!batch.first)
        batch.first = access.call;
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
        piece.calls.push_back(access.call);
        return;
    }
    batch.pieces.push_back({base, low, high, access.address(), align, {access.call}});
}

/// Asks before the innermost loop, once, whether any address that the pieces can have in it is watched.
///
/// That holds throughout the loop, in which nothing changes what is watched; another thread cannot, for all accesses
/// count as watched while there is one. Rounds that skip the accesses, and those after the loop was left early, make
/// the bounds wider than need be, which costs the look at the table and nothing else.
Value *PageChecks::reachable(const Batch &batch) {
    BasicBlock *block = batch.first->getParent();
    Loop *loop = outermost_quiet(loops, block) ? loops.getLoopFor(block) : nullptr;
    BasicBlock *entry = loop ? loop->getLoopPreheader() : nullptr;
    if (!entry || batch.pieces.size() > BOUNDED)
        return nullptr;
    ScalarEvolution &evolution = bounds->evolution;
    if (few_latches(evolution, loop, FEW_PAGE_ROUNDS))
        return nullptr;
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
        expander.isHighCostExpansion(all, loop, BOUNDS_BUDGET, &bounds->target, before))
        return nullptr;
    auto value = [&](const SCEV *expression) {
        return expander.expandCodeFor(expression, expression->getType(), before->getIterator());
    };
    Value *count = value(rounds), *found = nullptr;
    for (const Line &line : lines) {
        Value *base = value(line.base), *step = value(line.step);
        IRBuilder<> builder(before);
        builder.SetCurrentDebugLocation(batch.first->getDebugLoc());
        Value *each = ask_line(builder, line.size, {base, count, step, nullptr, nullptr});
        found = found ? builder.CreateOr(found, each) : each;
    }
    return found;
}

/// What bytes beyond an address come to in all rounds of the loop, if its rounds are bounded by a number and the
/// address moves by one; at most a page's size.
std::optional<Extent> PageChecks::over_rounds(const Extent &bytes, Loop *loop) {
    ScalarEvolution &evolution = bounds->evolution;
    const std::optional<uint64_t> most = few_latches(evolution, loop, PAGE);
    if (!most)
        return std::nullopt;
    Extent all = bytes;
    if (auto *sequence = dyn_cast<SCEVAddRecExpr>(bytes.start); sequence && sequence->getLoop() == loop) {
        auto *step = sequence->isAffine() ? dyn_cast<SCEVConstant>(sequence->getStepRecurrence(evolution)) : nullptr;
        if (!step || step->getAPInt().abs().ugt(PAGE))
            return std::nullopt;
        const int64_t reach = step->getAPInt().getSExtValue() * int64_t(*most);
        all = {sequence->getStart(), bytes.low + std::min<int64_t>(reach, 0),
               bytes.high + std::max<int64_t>(reach, 0)};
    }
    if (!evolution.isLoopInvariant(all.start, loop) || all.high - all.low > PAGE)
        return std::nullopt;
    return all;
}

/// Finds the outermost loop around a batch in all of whose rounds each of its pieces stays within a page's size, and
/// enters what is to be asked before it. Small blocks of matrices and vectors of a few unknowns are like that.
bool PageChecks::bounded(Batch &batch, SmallVectorImpl<Question> &questions) {
    ScalarEvolution &evolution = bounds->evolution;
    BasicBlock *block = batch.first->getParent();
    Loop *outermost = outermost_quiet(loops, block), *before = nullptr;
    if (!outermost)
        return false;
    SmallVector<Extent, 8> extents;
    for (const Piece &piece : batch.pieces)
        extents.push_back({evolution.getSCEV(piece.lowest), 0, piece.high - piece.low});
    SCEVExpander expander(evolution, layout, "farside");
    for (Loop *loop = loops.getLoopFor(block); loop->getLoopPreheader(); loop = loop->getParentLoop()) {
        Instruction *place = loop->getLoopPreheader()->getTerminator();
        SmallVector<Extent, 8> wider;
        SmallVector<const SCEV *, 8> starts;
        for (const Extent &extent : extents)
            if (std::optional<Extent> all = over_rounds(extent, loop)) {
                wider.push_back(*all);
                starts.push_back(all->start);
            }
        if (wider.size() != extents.size() ||
            !all_of(starts, [&](const SCEV *each) { return expander.isSafeToExpandAt(each, place); }) ||
            expander.isHighCostExpansion(starts, loop, BOUNDS_BUDGET, &bounds->target, place))
            break;
        extents = std::move(wider);
        before = loop;
        if (loop == outermost)
            break;
    }
    if (!before)
        return false;
    for (Extent extent : extents) {
        if (auto *sum = dyn_cast<SCEVAddExpr>(extent.start))
            if (auto *constant = dyn_cast<SCEVConstant>(sum->getOperand(0))) {
                const int64_t more = constant->getAPInt().getSExtValue();
                SmallVector<const SCEV *, 4> terms(drop_begin(sum->operands()));
                extent = {evolution.getAddExpr(terms), extent.low + more, extent.high + more};
            }
        auto joins = [&](const Question &each) {
            return each.before == before && each.extent.start == extent.start &&
                   std::max(each.extent.high, extent.high) - std::min(each.extent.low, extent.low) <= PAGE;
        };
        Question *known = find_if(questions, joins);
        if (known == questions.end()) {
            questions.push_back({before, extent, {&batch}});
            continue;
        }
        known->extent.low = std::min(known->extent.low, extent.low);
        known->extent.high = std::max(known->extent.high, extent.high);
        if (known->batches.back() != &batch)
            known->batches.push_back(&batch);
    }
    return true;
}

/// Looks at the pages of the first and of the last byte: there are no others.
void PageChecks::ask(const Question &question) {
    const Batch &asker = *question.batches.front();
    Instruction *before = question.before->getLoopPreheader()->getTerminator();
    const Table table = table_for(asker, before);
    SCEVExpander expander(bounds->evolution, layout, "farside");
    const SCEV *start = question.extent.start;
    Value *base = expander.expandCodeFor(start, start->getType(), before->getIterator());
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(asker.first->getDebugLoc());
    base = base->getType()->isPointerTy() ? builder.CreatePtrToInt(base, builder.getInt64Ty()) : base;
    auto look = [&](int64_t at) { return byte(builder, table, builder.CreateAdd(base, builder.getInt64(at))); };
    Value *found = watched(builder, builder.CreateOr(look(question.extent.low), look(question.extent.high - 1)));
    for (Batch *batch : question.batches)
        batch->reachable = batch->reachable ? builder.CreateOr(batch->reachable, found) : found;
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
    Value *number = address->getType()->isPointerTy() ? builder.CreatePtrToInt(address, builder.getInt64Ty()) : address;
    Value *page = builder.CreateLShr(number, PAGE_SHIFT);
    Value *place = builder.CreateGEP(builder.getInt8Ty(), table.bytes, builder.CreateAnd(page, table.mask));
    LoadInst *byte = builder.CreateAlignedLoad(builder.getInt8Ty(), place, Align(1));
    // Other threads may begin to watch.
    byte->setAtomic(AtomicOrdering::Unordered);
    return byte;
}

Value *PageChecks::watched(IRBuilder<> &builder, Value *byte) {
    return builder.CreateICmpNE(builder.CreateAnd(byte, builder.getInt8(WATCHERS)), builder.getInt8(0));
}

/// The table as it is loaded before the quiet loop around a batch, or at `place`.
Table PageChecks::table_for(const Batch &batch, Instruction *place) {
    Instruction *entry = entries.lookup(batch.first->getParent());
    if (!entry)
        return table(place);
    auto [known, unknown] = loaded.try_emplace(entry);
    if (unknown)
        known->second = table(entry);
    return known->second;
}

void PageChecks::check(Batch &batch) {
    Instruction *last = batch.last;
    MDNode *unlikely = MDBuilder(function.getContext()).createBranchWeights(1, (1u << 20) - 1);
    auto only_if = [&](Value *condition, Instruction *before) {
        return SplitBlockAndInsertIfThen(condition, before->getIterator(), /*Unreachable=*/false, unlikely);
    };
    const DebugLoc place = last->getDebugLoc();
    if (batch.reachable)
        last = only_if(batch.reachable, last);
    const Table table = table_for(batch, last);
    IRBuilder<> builder(last);
    builder.SetCurrentDebugLocation(place);
    SmallVector<Value *, 8> bytes;
    Value *any = nullptr;
    for (const Piece &piece : batch.pieces) {
        Value *each = byte(builder, table, piece.lowest);
        if (!piece.one_page()) {
            Value *end = builder.CreateGEP(builder.getInt8Ty(), piece.lowest,
                                           builder.getInt64(piece.high - piece.low - 1));
            each = builder.CreateOr(each, byte(builder, table, end));
        }
        bytes.push_back(each);
        any = any ? builder.CreateOr(any, each) : each;
    }
    Instruction *end = only_if(watched(builder, any), last);
    // What lies elsewhere is not called for: a window is often read beside what is the process' own.
    for (auto [piece, byte] : zip(batch.pieces, bytes)) {
        Instruction *own = end;
        if (bytes.size() > 1) {
            IRBuilder<> each(end);
            each.SetCurrentDebugLocation(place);
            own = only_if(watched(each, byte), end);
        }
        for (CallInst *call : piece.calls)
            call->moveBefore(own);
    }
}

} // namespace

bool check_pages(Function &function, LoopInfo &loops, LoopBounds *bounds) {
    return PageChecks(function, loops, bounds).run();
}

} // namespace farside
