//! Jumps to labels whose addresses were taken (`goto *p`) become switches before the reader proper sees them.
//!
//! Source: LLVM's language reference, "indirectbr" and "blockaddress"; the pass `indirectbr-expand` does the same, but
//! needs a machine. The address of a block becomes its number in the function, from 1.

use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;

/// Replaces the indirect jumps of a module, and the addresses of blocks.
///
/// # Safety
/// The module is a valid one of this context, and nobody else uses either meanwhile.
pub(crate) unsafe fn number(context: LLVMContextRef, module: LLVMModuleRef) {
    // SAFETY: the caller's promise; functions are neither added nor taken away.
    unsafe {
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            number_in(context, function);
            function = LLVMGetNextFunction(function);
        }
    }
}

/// # Safety
/// `function` is one of a valid module of this context.
unsafe fn number_in(context: LLVMContextRef, function: LLVMValueRef) {
    // SAFETY: the caller's promise; blocks are listed before one is added, and a jump is erased after its last use.
    unsafe {
        let mut blocks = Vec::new();
        let mut block = LLVMGetFirstBasicBlock(function);
        while !block.is_null() {
            blocks.push(block);
            block = LLVMGetNextBasicBlock(block);
        }
        let jumps: Vec<LLVMValueRef> = blocks
            .iter()
            .map(|block| LLVMGetBasicBlockTerminator(*block))
            .filter(|end| !end.is_null() && LLVMGetInstructionOpcode(*end) == LLVMOpcode::LLVMIndirectBr)
            .collect();
        if jumps.is_empty() {
            return;
        }
        let number_type = LLVMInt64TypeInContext(context);
        let number = |block: LLVMBasicBlockRef| {
            let place = blocks.iter().position(|known| *known == block).unwrap_or(0);
            LLVMConstInt(number_type, place as u64 + 1, 0)
        };
        let nowhere = LLVMAppendBasicBlockInContext(context, function, c"nowhere".as_ptr());
        let builder = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderAtEnd(builder, nowhere);
        LLVMBuildUnreachable(builder);
        let mut targets = Vec::new();
        for jump in jumps {
            LLVMPositionBuilderBefore(builder, jump);
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(jump));
            let address = LLVMGetOperand(jump, 0);
            let value = LLVMBuildPtrToInt(builder, address, number_type, c"label".as_ptr());
            let count = LLVMGetNumSuccessors(jump);
            let switch = LLVMBuildSwitch(builder, value, nowhere, count);
            for nth in 0..count {
                let to = LLVMGetSuccessor(jump, nth);
                LLVMAddCase(switch, number(to), to);
                targets.push(to);
            }
            LLVMInstructionEraseFromParent(jump);
        }
        LLVMDisposeBuilder(builder);
        targets.sort_unstable();
        targets.dedup();
        for to in targets {
            let address = LLVMBlockAddress(function, to);
            let plain = LLVMConstIntToPtr(number(to), LLVMTypeOf(address));
            LLVMReplaceAllUsesWith(address, plain);
        }
    }
}
