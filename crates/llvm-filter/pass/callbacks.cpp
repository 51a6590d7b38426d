#include "callbacks.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ModRef.h>

using namespace llvm;

namespace farside {

/// Accesses that are larger touch more than two pages.
static constexpr unsigned LARGEST = 4096;

std::optional<Access> access_of(Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || call->arg_empty() || call->arg_size() > 2)
        return std::nullopt;
    StringRef name = callee->getName();
    if (!name.consume_front("__tsan_"))
        return std::nullopt;
    name.consume_front("unaligned_");
    const bool store = name.consume_front("write");
    if (!store && !name.consume_front("read"))
        return std::nullopt;
    unsigned size = 0;
    if (call->arg_size() == 2) {
        auto *bytes = dyn_cast<ConstantInt>(call->getArgOperand(1));
        if (name != "_range" || !bytes || bytes->isZero() || bytes->getValue().ugt(LARGEST))
            return std::nullopt;
        size = bytes->getZExtValue();
    } else if (name.getAsInteger(10, size)) {
        return std::nullopt;
    }
    return Access{call, store, size};
}

bool quiet(Instruction &instruction) {
    if (instruction.isAtomic() || instruction.isVolatile())
        return false;
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
        return !instruction.mayThrow();
    if (access_of(instruction))
        return true;
    // What takes the place of callbacks.
    if (const Function *callee = call->getCalledFunction(); callee && callee->getName().starts_with("__farside_"))
        return true;
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(call); intrinsic && intrinsic->isAssumeLikeIntrinsic())
        return true;
    return call->doesNotAccessMemory() && call->doesNotThrow() && call->hasFnAttr(Attribute::WillReturn);
}

void calm(CallInst &call) {
    call.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    call.setDoesNotThrow();
    call.addFnAttr(Attribute::WillReturn);
}

CallInst *announce_run(IRBuilderBase &builder, bool store, unsigned size, const RunArguments &run) {
    Module &module = *builder.GetInsertBlock()->getModule();
    Type *word = builder.getInt64Ty();
    auto *type = FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(), word, word, word, word, word}, false);
    FunctionCallee callee = module.getOrInsertFunction(store ? "__farside_write_run" : "__farside_read_run", type);
    CallInst *call = builder.CreateCall(
        callee, {run.base, builder.getInt64(size), run.count, run.stride, run.lines, run.pitch});
    calm(*call);
    return call;
}

Value *ask_line(IRBuilderBase &builder, unsigned size, const RunArguments &run) {
    Module &module = *builder.GetInsertBlock()->getModule();
    Type *word = builder.getInt64Ty();
    auto *type = FunctionType::get(builder.getInt32Ty(), {builder.getPtrTy(), word, word, word}, false);
    CallInst *call = builder.CreateCall(module.getOrInsertFunction("__farside_line_watched", type),
                                        {run.base, builder.getInt64(size), run.count, run.stride});
    calm(*call);
    return builder.CreateICmpNE(call, builder.getInt32(0));
}

} // namespace farside
