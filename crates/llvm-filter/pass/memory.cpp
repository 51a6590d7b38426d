#include "memory.h"

#include "callbacks.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace farside {

/// Whether all uses of a variable's address are loads, stores and callbacks.
static bool address_stays(const GlobalVariable &variable) {
    if (!variable.hasLocalLinkage())
        return false;
    SmallVector<const User *> left(variable.users());
    SmallPtrSet<const User *, 16> seen;
    while (!left.empty()) {
        const User *user = left.pop_back_val();
        if (!seen.insert(user).second)
            continue;
        if (isa<LoadInst>(user) || isa<AnyMemIntrinsic>(user))
            continue;
        if (auto *store = dyn_cast<StoreInst>(user)) {
            auto *stored = store->getValueOperand()->stripInBoundsConstantOffsets();
            if (stored == &variable || seen.contains(dyn_cast<User>(store->getValueOperand())))
                return false;
            continue;
        }
        if (auto *call = dyn_cast<CallInst>(user)) {
            const Function *callee = call->getCalledFunction();
            if (callee && (callee->getName().starts_with("__tsan_") || callee->getName().starts_with("__farside_")))
                continue;
            return false;
        }
        if (!isa<GEPOperator>(user))
            return false;
        left.append(user->user_begin(), user->user_end());
    }
    return true;
}

/// Whether nobody else can know the address of this object. The sanitizer asks this itself of local variables.
static bool private_object(const Value *object, DenseMap<const Value *, bool> &known) {
    auto [place, unknown] = known.try_emplace(object, false);
    if (!unknown)
        return place->second;
    bool is_private = false;
    if (auto *variable = dyn_cast<GlobalVariable>(object))
        is_private = address_stays(*variable);
    else if (isNoAliasCall(object))
        is_private = !PointerMayBeCaptured(object, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
    return known[object] = is_private;
}

void leave_out_private_memory(Function &function) {
    DenseMap<const Value *, bool> known;
    MDNode *mark = MDNode::get(function.getContext(), {});
    for (Instruction &instruction : instructions(function)) {
        const Value *address = getLoadStorePointerOperand(&instruction);
        if (address && !instruction.isAtomic() && private_object(getUnderlyingObject(address, 0), known))
            instruction.setMetadata(LLVMContext::MD_nosanitize, mark);
    }
}

/// Whether LLVM 19's sanitizer leaves an access out because nobody else knows its address. It asks for the address
/// itself, not for the variable: `local[1]` is left out although `local` was handed to `MPI_Win_create`. (Mended in
/// LLVM 21.)
static bool left_out(const Value *address) {
    return isa<AllocaInst>(getUnderlyingObject(address)) && !PointerMayBeCaptured(address, true, true);
}

void announce_overlooked(Function &function) {
    Module &module = *function.getParent();
    const DataLayout &layout = module.getDataLayout();
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *address = const_cast<Value *>(getLoadStorePointerOperand(&instruction));
        if (!address || instruction.isAtomic() || instruction.hasMetadata(LLVMContext::MD_nosanitize) ||
            address->getType()->getPointerAddressSpace() != 0 || address->isSwiftError())
            continue;
        const TypeSize bytes = layout.getTypeStoreSize(getLoadStoreType(&instruction));
        if (bytes.isScalable())
            continue;
        const uint64_t size = bytes.getFixedValue();
        const bool has_callback = isPowerOf2_64(size) && size <= 16;
        if (has_callback && !left_out(address))
            continue;
        if (const AllocaInst *local = findAllocaForValue(address); local && !PointerMayBeCaptured(local, true, true))
            continue;
        IRBuilder<> builder(&instruction);
        std::string name = isa<StoreInst>(instruction) ? "write" : "read";
        SmallVector<Value *, 2> arguments{address};
        if (has_callback) {
            const bool aligned = getLoadStoreAlignment(&instruction).value() >= std::min<uint64_t>(size, 8);
            name = (aligned ? "__tsan_" : "__tsan_unaligned_") + name + std::to_string(size);
        } else {
            name = "__tsan_" + name + "_range";
            arguments.push_back(builder.getInt64(size));
        }
        SmallVector<Type *, 2> types;
        for (Value *argument : arguments)
            types.push_back(argument->getType());
        FunctionCallee callee =
            module.getOrInsertFunction(name, FunctionType::get(builder.getVoidTy(), types, /*isVarArg=*/false));
        calm(*builder.CreateCall(callee, arguments));
        // The call makes the address known to the sanitizer.
        instruction.setMetadata(LLVMContext::MD_nosanitize, MDNode::get(function.getContext(), {}));
    }
}

} // namespace farside
