//! Which memory of a function is a variable of the sources, and what they call it.
//!
//! Debug information says it; flang always writes it for us. Without it (`-gline-tables-only`, which is what clang is
//! asked for, since C++'s headers have three times as much of the whole), the name in the module counts, which clang
//! takes from the sources.
//!
//! Promise: a name that is given is that of the variable. Limits: where nothing but a number at its end tells a name
//! from another one of its function, either LLVM or the program may have added that number, and none is given.

use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::collections::HashSet;
use std::slice;

/// Follows the name of a variable. No language has it in names; LLVM may put a number after it.
const MARK: char = '!';

/// Memory of clang's own, which has names like those of variables.
const COMPILER_MADE: [&str; 3] = ["retval", "result", "tmp"];

/// The name in the sources, if a name in a marked module is that of a variable.
pub(crate) fn in_sources(name: &str) -> Option<&str> {
    name.split_once(MARK).map(|(name, _)| name)
}

/// Marks the variables of a module.
///
/// # Safety
/// The module is a valid one that nobody else uses.
pub(crate) unsafe fn mark(module: LLVMModuleRef) {
    // SAFETY: the caller's promise.
    unsafe {
        // As calls, for which the binding has functions.
        LLVMSetIsNewDbgInfoFormat(module, 0);
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            mark_function(function);
            function = LLVMGetNextFunction(function);
        }
        LLVMSetIsNewDbgInfoFormat(module, 1);
    }
}

/// # Safety
/// As [`mark`], of whose module the function is.
unsafe fn mark_function(function: LLVMValueRef) {
    // SAFETY: the caller's promise; names are changed after the walk.
    unsafe {
        let (mut local, mut declared, mut names) = (Vec::new(), Vec::new(), HashSet::new());
        for argument in 0..LLVMCountParams(function) {
            names.insert(name(LLVMGetParam(function, argument)));
        }
        let mut block = LLVMGetFirstBasicBlock(function);
        while !block.is_null() {
            let mut instruction = LLVMGetFirstInstruction(block);
            while !instruction.is_null() {
                names.insert(name(instruction));
                if LLVMGetInstructionOpcode(instruction) == LLVMOpcode::LLVMAlloca {
                    local.push(instruction);
                }
                declared.extend(declaration(instruction));
                instruction = LLVMGetNextInstruction(instruction);
            }
            block = LLVMGetNextBasicBlock(block);
        }
        if declared.is_empty() {
            for variable in local {
                let name = name(variable);
                if is_certain(&name, &names) {
                    rename(variable, &name);
                }
            }
        }
        for (variable, name) in declared {
            rename(variable, &name);
        }
    }
}

/// Whether a name in a module must be the one in the sources.
fn is_certain(name: &str, others: &HashSet<String>) -> bool {
    let base = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let is_numbered = base.len() < name.len() && others.contains(base);
    !name.is_empty() && !name.contains(['.', MARK]) && !is_numbered && !COMPILER_MADE.contains(&name)
}

/// The variable that an instruction declares, and its name in the sources.
///
/// # Safety
/// As [`mark`], of whose module the instruction is.
unsafe fn declaration(instruction: LLVMValueRef) -> Option<(LLVMValueRef, String)> {
    // SAFETY: the caller's promise; the kinds of operands are asked for before they are used.
    unsafe {
        if LLVMGetInstructionOpcode(instruction) != LLVMOpcode::LLVMCall {
            return None;
        }
        let callee = LLVMGetCalledValue(instruction);
        if callee.is_null() || name(callee) != "llvm.dbg.declare" {
            return None;
        }
        let memory = operands(LLVMGetOperand(instruction, 0)).first().copied()?;
        let is_local = !memory.is_null()
            && !LLVMIsAInstruction(memory).is_null()
            && LLVMGetInstructionOpcode(memory) == LLVMOpcode::LLVMAlloca;
        // Of the node of a local variable, the name stands after the scope (LLVM's DILocalVariable).
        let text = operands(LLVMGetOperand(instruction, 1)).get(1).copied()?;
        if !is_local || text.is_null() {
            return None;
        }
        let mut length = 0;
        let characters = LLVMGetMDString(text, &mut length);
        let bytes =
            (!characters.is_null()).then(|| slice::from_raw_parts(characters.cast(), length as usize))?;
        Some((memory, String::from_utf8(bytes.to_vec()).ok()?))
    }
}

/// What a node of metadata consists of, or the value that it stands for.
///
/// # Safety
/// As [`mark`], of whose module the value is; it is metadata.
unsafe fn operands(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: the caller's promise; the list is as long as LLVM says.
    unsafe {
        // Which LLVM says of both.
        if LLVMIsAMDNode(node).is_null() {
            return Vec::new();
        }
        let mut list = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, list.as_mut_ptr());
        list
    }
}

/// # Safety
/// As [`mark`], of whose module the value is.
unsafe fn name(value: LLVMValueRef) -> String {
    let mut length = 0;
    // SAFETY: the caller's promise; LLVM says how long the text is.
    unsafe {
        let characters = LLVMGetValueName2(value, &mut length);
        if characters.is_null() {
            return String::new();
        }
        String::from_utf8_lossy(slice::from_raw_parts(characters.cast(), length)).into_owned()
    }
}

/// # Safety
/// As [`mark`], of whose module the value is.
unsafe fn rename(value: LLVMValueRef, name: &str) {
    let marked = format!("{name}{MARK}");
    // SAFETY: the caller's promise; LLVM copies the text.
    unsafe { LLVMSetValueName2(value, marked.as_ptr().cast(), marked.len()) }
}
