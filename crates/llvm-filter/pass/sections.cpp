#include "sections.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <deque>

using namespace llvm;

namespace {

/// `KMP_IDENT_WORK_SECTIONS` of LLVM's kmp.h: the loop is made of `sections`.
constexpr uint64_t OF_SECTIONS = 0x400;

bool calls(const Instruction &instruction, StringRef prefix) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName().starts_with(prefix);
}

/// The switch over the numbers of the sections: the nearest one before the thread is through with its part.
SwitchInst *switch_after(Instruction &start) {
    SmallPtrSet<BasicBlock *, 16> seen{start.getParent()};
    std::deque<BasicBlock *> next{start.getParent()};
    for (; !next.empty(); next.pop_front()) {
        BasicBlock &block = *next.front();
        const bool through = any_of(
            block, [](const Instruction &instruction) { return calls(instruction, "__kmpc_for_static_fini"); });
        // What comes before the start in its block belongs to another loop.
        if (through && &block != start.getParent())
            continue;
        if (auto *found = dyn_cast<SwitchInst>(block.getTerminator()))
            return found;
        for (BasicBlock *successor : successors(&block))
            if (seen.insert(successor).second)
                next.push_back(successor);
    }
    return nullptr;
}

void announce_sections(Function &function) {
    SmallVector<SwitchInst *> switches;
    for (Instruction &instruction : instructions(function))
        if (farside::gives_sections(instruction))
            if (SwitchInst *found = switch_after(instruction))
                switches.push_back(found);
    for (SwitchInst *sections : switches)
        for (const auto &section : sections->cases()) {
            IRBuilder<> builder(&*section.getCaseSuccessor()->getFirstInsertionPt());
            builder.SetCurrentDebugLocation(sections->getDebugLoc());
            builder.CreateCall(function.getParent()->getOrInsertFunction("__farside_section", builder.getVoidTy()));
        }
}

} // namespace

bool farside::gives_sections(const Instruction &instruction) {
    if (!calls(instruction, "__kmpc_for_static_init_"))
        return false;
    const Value *place = cast<CallBase>(instruction).getArgOperand(0)->stripPointerCasts();
    const auto *variable = dyn_cast<GlobalVariable>(place);
    if (!variable || !variable->hasInitializer())
        return false;
    // `ident_t`: a reserved word, then the flags.
    const auto *flags = dyn_cast_or_null<ConstantInt>(variable->getInitializer()->getAggregateElement(1));
    return flags && flags->getZExtValue() & OF_SECTIONS;
}

void farside::announce_sections(Module &module) {
    for (Function &function : module)
        if (!function.isDeclaration() && function.hasFnAttribute(Attribute::SanitizeThread))
            ::announce_sections(function);
}
