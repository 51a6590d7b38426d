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

void announce_odd_sizes(Function &function) {
    Module &module = *function.getParent();
    const DataLayout &layout = module.getDataLayout();
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        const Value *address = getLoadStorePointerOperand(&instruction);
        if (!address || instruction.isAtomic() || instruction.hasMetadata(LLVMContext::MD_nosanitize) ||
            address->getType()->getPointerAddressSpace() != 0)
            continue;
        const TypeSize size = layout.getTypeStoreSize(getLoadStoreType(&instruction));
        if (size.isScalable() || (isPowerOf2_64(size.getFixedValue()) && size.getFixedValue() <= 16))
            continue;
        if (const AllocaInst *local = findAllocaForValue(const_cast<Value *>(address));
            local && !PointerMayBeCaptured(local, true, true))
            continue;
        IRBuilder<> builder(&instruction);
        Type *word = builder.getInt64Ty();
        auto *type = FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(), word}, false);
        const bool store = isa<StoreInst>(instruction);
        FunctionCallee callee = module.getOrInsertFunction(store ? "__tsan_write_range" : "__tsan_read_range", type);
        calm(*builder.CreateCall(callee, {const_cast<Value *>(address), builder.getInt64(size.getFixedValue())}));
    }
}

} // namespace farside
