//! The element types of constant address expressions, which the binding leaves out.

use llvm_sys::LLVMOpcode;
use llvm_sys::LLVMValueKind;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout};
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::path::Path;

/// For expressions `getelementptr (type, ptr @global, i64 index)`: bytes of the type, by global and index.
pub(crate) type Strides = HashMap<(String, i64), u64>;

/// Reads a file once more, with LLVM's own interface, for the strides of its expressions. Empty if it cannot be read,
/// which the reader proper reports.
pub(crate) fn strides(path: &Path) -> Strides {
    let mut strides = Strides::new();
    let Some(name) = path.to_str().and_then(|path| CString::new(path).ok()) else {
        return strides;
    };
    // SAFETY: every handle is used between its creation and its disposal here, and by this thread alone; the parser owns the
    // buffer from its call on, whether it succeeds or not; a module is read only when the parser returned 0.
    unsafe {
        let context = LLVMContextCreate();
        let (mut buffer, mut module, mut message) =
            (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        if LLVMCreateMemoryBufferWithContentsOfFile(name.as_ptr(), &mut buffer, &mut message) == 0
            && llvm_sys::ir_reader::LLVMParseIRInContext(context, buffer, &mut module, &mut message) == 0
        {
            let mut function = LLVMGetFirstFunction(module);
            while !function.is_null() {
                let mut block = LLVMGetFirstBasicBlock(function);
                while !block.is_null() {
                    let mut instruction = LLVMGetFirstInstruction(block);
                    while !instruction.is_null() {
                        operands(module, instruction, &mut strides);
                        instruction = LLVMGetNextInstruction(instruction);
                    }
                    block = LLVMGetNextBasicBlock(block);
                }
                function = LLVMGetNextFunction(function);
            }
            let mut global = LLVMGetFirstGlobal(module);
            while !global.is_null() {
                let value = LLVMGetInitializer(global);
                if !value.is_null() {
                    constant(module, value, &mut strides);
                }
                global = LLVMGetNextGlobal(global);
            }
            LLVMDisposeModule(module);
        }
        if !message.is_null() {
            LLVMDisposeMessage(message);
        }
        LLVMContextDispose(context);
    }
    strides
}

/// # Safety
/// `user` is a user of values (an instruction, a constant expression or aggregate) of `module`.
unsafe fn operands(module: LLVMModuleRef, user: LLVMValueRef, strides: &mut Strides) {
    // SAFETY: the caller's promise; indices are below the number of operands.
    unsafe {
        for index in 0..LLVMGetNumOperands(user) as u32 {
            let operand = LLVMGetOperand(user, index);
            if !operand.is_null() {
                constant(module, operand, strides);
            }
        }
    }
}

/// # Safety
/// `value` is a value of `module`.
unsafe fn constant(module: LLVMModuleRef, value: LLVMValueRef, strides: &mut Strides) {
    // SAFETY: the caller's promise; the kind is asked before what only that kind has. Globals are no aggregates, so that the
    // walk ends.
    unsafe {
        match LLVMGetValueKind(value) {
            LLVMValueKind::LLVMConstantExprValueKind => {
                if LLVMGetConstOpcode(value) == LLVMOpcode::LLVMGetElementPtr
                    && LLVMGetNumOperands(value) == 2
                {
                    let (base, index) = (LLVMGetOperand(value, 0), LLVMGetOperand(value, 1));
                    let is_global = LLVMGetValueKind(base) == LLVMValueKind::LLVMGlobalVariableValueKind;
                    if is_global && LLVMGetValueKind(index) == LLVMValueKind::LLVMConstantIntValueKind {
                        let mut length = 0;
                        let name = LLVMGetValueName2(base, &mut length);
                        let name = CStr::from_ptr(name).to_string_lossy().into_owned();
                        let size = LLVMABISizeOfType(
                            LLVMGetModuleDataLayout(module),
                            LLVMGetGEPSourceElementType(value),
                        );
                        strides.insert((name, LLVMConstIntGetSExtValue(index)), size);
                    }
                }
                operands(module, value, strides);
            }
            LLVMValueKind::LLVMConstantStructValueKind | LLVMValueKind::LLVMConstantArrayValueKind => {
                operands(module, value, strides);
            }
            _ => {}
        }
    }
}
