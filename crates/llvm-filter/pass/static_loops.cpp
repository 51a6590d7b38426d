#include "static_loops.h"

#include "sections.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>

using namespace llvm;

namespace {

/// Kinds of schedules (`enum sched_type` of LLVM's kmp.h), and the bits that say whether chunks are taken in order.
constexpr uint64_t STATIC_CHUNKED = 33, STATIC = 34, ORDER = 3 << 29;

/// The call that gives the calling thread its part of a loop.
struct Start {
    CallBase *call;
    bool chunked;

    /// Variables of the function: the first and the last iteration of the thread's part, or of its next chunk.
    Value *lower() const { return call->getArgOperand(4); }
    Value *upper() const { return call->getArgOperand(5); }
};

std::optional<Start> start_of(Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->getName().starts_with("__kmpc_for_static_init_") || call->arg_size() < 6 ||
        farside::gives_sections(instruction))
        return std::nullopt;
    const auto *schedule = dyn_cast<ConstantInt>(call->getArgOperand(2));
    const uint64_t kind = schedule ? schedule->getZExtValue() & ~ORDER : 0;
    if (kind != STATIC && kind != STATIC_CHUNKED)
        return std::nullopt;
    return Start{call, kind == STATIC_CHUNKED};
}

/// The loop over consecutive iterations: `while (iteration <= last) ...`, where `last` is loaded from a variable.
struct Iterations {
    BranchInst *branch;
    ICmpInst *condition;
    LoadInst *iteration, *last;

    BasicBlock *header() const { return branch->getParent(); }
    BasicBlock *after() const { return branch->getSuccessor(1); }
};

/// The variable that the first iteration is stored to is the loop's.
bool starts_at(const Value *variable, const Value *lower) {
    for (const User *user : variable->users()) {
        const auto *store = dyn_cast<StoreInst>(user);
        const auto *load = store ? dyn_cast<LoadInst>(store->getValueOperand()) : nullptr;
        if (store && store->getPointerOperand() == variable && load && load->getPointerOperand() == lower)
            return true;
    }
    return false;
}

std::optional<Iterations> iterations_of(const Start &start, const DominatorTree &dominators) {
    for (User *user : start.upper()->users()) {
        auto *last = dyn_cast<LoadInst>(user);
        if (!last || !last->hasOneUse())
            continue;
        auto *condition = dyn_cast<ICmpInst>(last->user_back());
        if (!condition || !condition->hasOneUse() || condition->getOperand(1) != last)
            continue;
        auto *iteration = dyn_cast<LoadInst>(condition->getOperand(0));
        auto *branch = dyn_cast<BranchInst>(condition->user_back());
        if (!iteration || !branch || !branch->isConditional() ||
            !starts_at(iteration->getPointerOperand(), start.lower()))
            continue;
        BasicBlock *header = branch->getParent();
        const bool loops = any_of(predecessors(header),
                                  [&](BasicBlock *block) { return dominators.dominates(header, block); });
        if (loops && condition->getParent() == header && last->getParent() == header &&
            iteration->getParent() == header && header->phis().empty() && branch->getSuccessor(1)->phis().empty())
            return Iterations{branch, condition, iteration, last};
    }
    return std::nullopt;
}

/// All edges that enter a loop lead to another block.
void enter_by(BasicBlock *header, BasicBlock *block, const DominatorTree &dominators) {
    SmallVector<BasicBlock *> entries;
    for (BasicBlock *before : predecessors(header))
        if (dominators.isReachableFromEntry(before) && !dominators.dominates(header, before))
            entries.push_back(before);
    for (BasicBlock *before : entries)
        before->getTerminator()->replaceSuccessorWith(header, block);
}

void announce_chunks(const Iterations &loop, const DominatorTree &dominators) {
    BasicBlock *header = loop.header();
    BasicBlock *begins = BasicBlock::Create(header->getContext(), "", header->getParent(), header);
    enter_by(header, begins, dominators);
    IRBuilder<> builder(begins);
    builder.SetCurrentDebugLocation(loop.branch->getDebugLoc());
    builder.CreateCall(header->getModule()->getOrInsertFunction("__farside_static_chunk", builder.getVoidTy()));
    builder.CreateBr(header);
}

/// `while (i <= last) ...` becomes `while (i <= last) { until = strand (i, last + 1, 1) - 1; while (i <= until) ... }`.
void make_strands(const Iterations &loop, const DominatorTree &dominators) {
    BasicBlock *header = loop.header();
    Function *function = header->getParent();
    Type *type = loop.last->getType();
    IRBuilder<> builder(&*function->getEntryBlock().getFirstInsertionPt());
    AllocaInst *until = builder.CreateAlloca(type);
    BasicBlock *outer = BasicBlock::Create(header->getContext(), "", function, header);
    BasicBlock *begins = BasicBlock::Create(header->getContext(), "", function, header);
    enter_by(header, outer, dominators);

    builder.SetInsertPoint(outer);
    builder.SetCurrentDebugLocation(loop.branch->getDebugLoc());
    Value *iteration = builder.CreateLoad(type, loop.iteration->getPointerOperand());
    Value *last = builder.CreateLoad(type, loop.last->getPointerOperand());
    Value *more = builder.CreateICmp(loop.condition->getPredicate(), iteration, last);
    builder.CreateCondBr(more, begins, loop.after());

    builder.SetInsertPoint(begins);
    Type *word = builder.getInt64Ty();
    const bool is_signed = loop.condition->isSigned();
    auto as_word = [&](Value *value) { return builder.CreateIntCast(value, word, is_signed); };
    FunctionCallee strand = function->getParent()->getOrInsertFunction("__farside_static_strand", word, word, word, word);
    Value *end = builder.CreateAdd(as_word(last), builder.getInt64(1));
    end = builder.CreateCall(strand, {as_word(iteration), end, builder.getInt64(1)});
    end = builder.CreateSub(end, builder.getInt64(1));
    builder.CreateStore(builder.CreateIntCast(end, type, is_signed), until);
    builder.CreateBr(header);

    loop.branch->setSuccessor(1, outer);
    loop.last->setOperand(LoadInst::getPointerOperandIndex(), until);
    loop.last->setMetadata(LLVMContext::MD_tbaa, nullptr);
}

void announce_static_loops(Function &function) {
    SmallVector<Start> starts;
    for (Instruction &instruction : instructions(function))
        if (std::optional<Start> start = start_of(instruction))
            starts.push_back(*start);
    for (const Start &start : starts) {
        const DominatorTree dominators(function);
        const std::optional<Iterations> loop = iterations_of(start, dominators);
        if (!loop)
            continue;
        if (start.chunked)
            announce_chunks(*loop, dominators);
        else
            make_strands(*loop, dominators);
    }
}

} // namespace

void farside::announce_static_loops(Module &module) {
    for (Function &function : module)
        if (!function.isDeclaration() && function.hasFnAttribute(Attribute::SanitizeThread))
            ::announce_static_loops(function);
}
