//! Constant expressions become plain numbers, or a global and a number of bytes, before the reader proper sees them;
//! constants of `long double`, and integers that need more than 63 of 128 bits, are loaded from where they stand as two
//! words.
//!
//! The binding leaves out the element types of constant address expressions, and C spells sizes as the address of the
//! second element of an array at null (flang does so everywhere). Only LLVM itself and the module's data layout can
//! tell what they are. Nor does the binding say what a constant of `long double` is, which has the precision of a
//! `double` in the lint, and the bytes of one ([`farside_lint::ir::Type::Extended`]); and of an integer it says the
//! lower 64 bits.
//!
//! Promise: every expression over numbers, null and one global is replaced by its value. Limits: expressions over
//! addresses of functions or of blocks stay as they are.

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMTargetDataRef};
use llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMTypeKind, LLVMValueKind};
use std::ffi::{CStr, c_char};

/// Of an instruction: LLVM numbers those that it gives to the reader.
const UNNAMED: *const c_char = c"".as_ptr();

/// Replaces the constant expressions of a module by what they are worth.
///
/// # Safety
/// The module is a valid one of this context, and nobody else uses either meanwhile.
pub(crate) unsafe fn evaluate(context: LLVMContextRef, module: LLVMModuleRef) {
    // SAFETY: the caller's promise.
    unsafe {
        let evaluation = Evaluation {
            context,
            layout: LLVMGetModuleDataLayout(module),
            builder: LLVMCreateBuilderInContext(context),
        };
        evaluation.module(module);
        LLVMDisposeBuilder(evaluation.builder);
    }
}

struct Evaluation {
    context: LLVMContextRef,
    layout: LLVMTargetDataRef,
    builder: LLVMBuilderRef,
}

/// A number, or that many bytes past the beginning of a global variable.
struct Constant {
    base: Option<LLVMValueRef>,
    number: i64,
}

impl Evaluation {
    /// # Safety
    /// `module` is a module of this context, with this layout; the same holds for what the other functions are given.
    unsafe fn module(&self, module: LLVMModuleRef) {
        // SAFETY: the caller's promise; the walk does not change the lists that it follows.
        unsafe {
            let mut function = LLVMGetFirstFunction(module);
            while !function.is_null() {
                let mut block = LLVMGetFirstBasicBlock(function);
                while !block.is_null() {
                    let mut instruction = LLVMGetFirstInstruction(block);
                    while !instruction.is_null() {
                        self.operands(instruction);
                        self.long_doubles(module, instruction);
                        self.large_integers(module, instruction);
                        instruction = LLVMGetNextInstruction(instruction);
                    }
                    block = LLVMGetNextBasicBlock(block);
                }
                function = LLVMGetNextFunction(function);
            }
            let mut global = LLVMGetFirstGlobal(module);
            while !global.is_null() {
                let value = LLVMGetInitializer(global);
                if !value.is_null()
                    && let Some(plain) = self.replacement(value)
                {
                    LLVMSetInitializer(global, plain);
                }
                global = LLVMGetNextGlobal(global);
            }
        }
    }

    /// # Safety
    /// As for [`Self::module`].
    unsafe fn operands(&self, instruction: LLVMValueRef) {
        // SAFETY: the caller's promise; indices are below the number of operands, and a value's type stays the same.
        unsafe {
            for index in 0..LLVMGetNumOperands(instruction) as u32 {
                let operand = LLVMGetOperand(instruction, index);
                if !operand.is_null()
                    && let Some(plain) = self.replacement(operand)
                {
                    LLVMSetOperand(instruction, index, plain);
                }
            }
        }
    }

    /// Loads the operands that are constants of `long double` from memory that holds them as a `double`; what a
    /// function takes without a type is not computed, as it lies elsewhere than other numbers.
    ///
    /// # Safety
    /// As for [`Self::module`].
    unsafe fn long_doubles(&self, module: LLVMModuleRef, instruction: LLVMValueRef) {
        // SAFETY: the caller's promise; what is built comes before its use, in the block from which a phi takes it.
        unsafe {
            let typed = match LLVMGetInstructionOpcode(instruction) {
                LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke => {
                    let function = LLVMGetCalledFunctionType(instruction);
                    (LLVMIsFunctionVarArg(function) != 0).then(|| LLVMCountParamTypes(function))
                }
                _ => None,
            };
            for index in 0..LLVMGetNumOperands(instruction) as u32 {
                let operand = LLVMGetOperand(instruction, index);
                if operand.is_null()
                    || LLVMGetTypeKind(LLVMTypeOf(operand)) != LLVMTypeKind::LLVMX86_FP80TypeKind
                {
                    continue;
                }
                self.build_before(instruction, index);
                let number = match LLVMGetValueKind(operand) {
                    LLVMValueKind::LLVMConstantFPValueKind => {
                        self.loaded(module, self.as_double(operand), LLVMTypeOf(operand))
                    }
                    _ => operand,
                };
                let number = match typed.is_some_and(|typed| index >= typed) {
                    true => {
                        let wide = LLVMFP128TypeInContext(self.context);
                        LLVMBuildFPExt(self.builder, number, wide, UNNAMED)
                    }
                    false => number,
                };
                if number != operand {
                    LLVMSetOperand(instruction, index, number);
                }
            }
        }
    }

    /// Loads the operands that are constants of 128 bits, of which one half does not hold all, from memory that holds
    /// both.
    ///
    /// # Safety
    /// As for [`Self::module`].
    unsafe fn large_integers(&self, module: LLVMModuleRef, instruction: LLVMValueRef) {
        // SAFETY: the caller's promise; what is built comes before its use, in the block from which a phi takes it.
        unsafe {
            if LLVMGetInstructionOpcode(instruction) == LLVMOpcode::LLVMSwitch {
                return;
            }
            for index in 0..LLVMGetNumOperands(instruction) as u32 {
                let operand = LLVMGetOperand(instruction, index);
                if operand.is_null() || LLVMGetValueKind(operand) != LLVMValueKind::LLVMConstantIntValueKind {
                    continue;
                }
                let ty = LLVMTypeOf(operand);
                if LLVMGetIntTypeWidth(ty) != 128 {
                    continue;
                }
                if let Some(number) = printed(operand).filter(|number| !(0..1 << 63).contains(number)) {
                    self.build_before(instruction, index);
                    let word = LLVMInt64TypeInContext(self.context);
                    let words = [number as u64, (number >> 64) as u64];
                    let words = words.map(|half| LLVMConstInt(word, half, 0));
                    LLVMSetOperand(instruction, index, self.loaded(module, words, ty));
                }
            }
        }
    }

    /// Where an operand of an instruction can be made.
    ///
    /// # Safety
    /// As for [`Self::module`].
    unsafe fn build_before(&self, instruction: LLVMValueRef, index: u32) {
        // SAFETY: the caller's promise; a block that a phi takes a value from has an end.
        unsafe {
            let before = match LLVMGetInstructionOpcode(instruction) {
                LLVMOpcode::LLVMPHI => LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, index)),
                _ => instruction,
            };
            LLVMPositionBuilderBefore(self.builder, before);
        }
    }

    /// A constant of `long double` as a `double`, and what lies after it.
    ///
    /// # Safety
    /// `constant` is one; else as for [`Self::module`].
    unsafe fn as_double(&self, constant: LLVMValueRef) -> [LLVMValueRef; 2] {
        // SAFETY: the caller's promise.
        unsafe {
            let mut loses = 0;
            let double = LLVMDoubleTypeInContext(self.context);
            [
                LLVMConstReal(double, LLVMConstRealGetDouble(constant, &mut loses)),
                LLVMConstReal(double, 0.0),
            ]
        }
    }

    /// A load of 16 bytes that are these two words, as this type.
    ///
    /// # Safety
    /// Both words are constants of one type; else as for [`Self::module`].
    unsafe fn loaded(
        &self,
        module: LLVMModuleRef,
        mut words: [LLVMValueRef; 2],
        ty: LLVMTypeRef,
    ) -> LLVMValueRef {
        // SAFETY: the caller's promise; the variable is as large as what is loaded from it, as two of its elements are.
        unsafe {
            let both = LLVMConstArray2(LLVMTypeOf(words[0]), words.as_mut_ptr(), 2);
            let variable = LLVMAddGlobal(module, LLVMTypeOf(both), c"farside.long".as_ptr());
            LLVMSetInitializer(variable, both);
            LLVMSetLinkage(variable, LLVMLinkage::LLVMPrivateLinkage);
            LLVMBuildLoad2(self.builder, ty, variable, UNNAMED)
        }
    }

    /// The same value without constant expressions; `None` if it has none that can be evaluated.
    ///
    /// # Safety
    /// As for [`Self::module`].
    unsafe fn replacement(&self, value: LLVMValueRef) -> Option<LLVMValueRef> {
        // SAFETY: the caller's promise; the kind is asked before what only that kind has. Globals are no aggregates, so
        // that the walk ends.
        unsafe {
            match LLVMGetValueKind(value) {
                LLVMValueKind::LLVMConstantExprValueKind => self.spelled(value),
                LLVMValueKind::LLVMConstantStructValueKind | LLVMValueKind::LLVMConstantArrayValueKind => {
                    let mut found = false;
                    let mut parts: Vec<LLVMValueRef> = (0..LLVMGetNumOperands(value) as u32)
                        .map(|index| {
                            let part = LLVMGetOperand(value, index);
                            let plain = self.replacement(part);
                            found |= plain.is_some();
                            plain.unwrap_or(part)
                        })
                        .collect();
                    if !found {
                        return None;
                    }
                    let (ty, first) = (LLVMTypeOf(value), parts.as_mut_ptr());
                    Some(match LLVMGetTypeKind(ty) {
                        LLVMTypeKind::LLVMArrayTypeKind => {
                            LLVMConstArray2(LLVMGetElementType(ty), first, parts.len() as u64)
                        }
                        _ if LLVMIsLiteralStruct(ty) != 0 => LLVMConstStructInContext(
                            self.context,
                            first,
                            parts.len() as u32,
                            LLVMIsPackedStruct(ty),
                        ),
                        _ => LLVMConstNamedStruct(ty, first, parts.len() as u32),
                    })
                }
                _ => None,
            }
        }
    }

    /// An expression as a number, a null pointer, or bytes past the beginning of a global.
    ///
    /// # Safety
    /// As for [`Self::module`].
    unsafe fn spelled(&self, value: LLVMValueRef) -> Option<LLVMValueRef> {
        // SAFETY: the caller's promise; each constructor is given the kind of type that it asks for.
        unsafe {
            let Constant { base, number } = self.value(value)?;
            let ty = LLVMTypeOf(value);
            match (LLVMGetTypeKind(ty), base) {
                (LLVMTypeKind::LLVMIntegerTypeKind, None) => Some(LLVMConstInt(ty, number as u64, 1)),
                (LLVMTypeKind::LLVMPointerTypeKind, Some(base)) => {
                    let mut offset = LLVMConstInt(LLVMInt64TypeInContext(self.context), number as u64, 1);
                    let byte = LLVMInt8TypeInContext(self.context);
                    let plain = LLVMConstGEP2(byte, base, &mut offset, 1);
                    (plain != value).then_some(plain)
                }
                _ => None,
            }
        }
    }

    /// What an expression is worth.
    ///
    /// # Safety
    /// As for [`Self::module`].
    unsafe fn value(&self, value: LLVMValueRef) -> Option<Constant> {
        let number = |number| Some(Constant { base: None, number });
        // SAFETY: the caller's promise; operands are asked for by the number that the expression's kind has.
        unsafe {
            match LLVMGetValueKind(value) {
                LLVMValueKind::LLVMConstantIntValueKind => (LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64)
                    .then(|| LLVMConstIntGetSExtValue(value))
                    .and_then(number),
                LLVMValueKind::LLVMConstantPointerNullValueKind => number(0),
                LLVMValueKind::LLVMGlobalVariableValueKind => Some(Constant {
                    base: Some(value),
                    number: 0,
                }),
                LLVMValueKind::LLVMConstantExprValueKind => match LLVMGetConstOpcode(value) {
                    LLVMOpcode::LLVMGetElementPtr => self.address(value),
                    LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMIntToPtr | LLVMOpcode::LLVMBitCast => {
                        self.value(LLVMGetOperand(value, 0))
                    }
                    LLVMOpcode::LLVMTrunc => self
                        .value(LLVMGetOperand(value, 0))
                        .filter(|of| of.base.is_none()),
                    operator => {
                        let left = self.value(LLVMGetOperand(value, 0))?;
                        let right = self.value(LLVMGetOperand(value, 1))?;
                        let base = match (operator, left.base, right.base) {
                            (LLVMOpcode::LLVMAdd, Some(base), None)
                            | (LLVMOpcode::LLVMAdd, None, Some(base))
                            | (LLVMOpcode::LLVMSub, Some(base), None) => Some(base),
                            (LLVMOpcode::LLVMSub, Some(a), Some(b)) if a == b => None,
                            (_, None, None) => None,
                            _ => return None,
                        };
                        let (a, b) = (left.number, right.number);
                        let number = match operator {
                            LLVMOpcode::LLVMAdd => a.wrapping_add(b),
                            LLVMOpcode::LLVMSub => a.wrapping_sub(b),
                            LLVMOpcode::LLVMMul => a.wrapping_mul(b),
                            LLVMOpcode::LLVMShl => a.checked_shl(b as u32)?,
                            LLVMOpcode::LLVMXor => a ^ b,
                            _ => return None,
                        };
                        Some(Constant { base, number })
                    }
                },
                _ => None,
            }
        }
    }

    /// What an address expression names.
    ///
    /// # Safety
    /// `value` is a `getelementptr` expression; else as for [`Self::module`].
    unsafe fn address(&self, value: LLVMValueRef) -> Option<Constant> {
        // SAFETY: the caller's promise; LLVM has checked that the indices fit the types that they walk through.
        unsafe {
            let Constant { base, mut number } = self.value(LLVMGetOperand(value, 0))?;
            let mut ty = LLVMGetGEPSourceElementType(value);
            for position in 1..LLVMGetNumOperands(value) as u32 {
                let index = self.value(LLVMGetOperand(value, position))?.number;
                if position > 1 {
                    match LLVMGetTypeKind(ty) {
                        LLVMTypeKind::LLVMStructTypeKind => {
                            number += LLVMOffsetOfElement(self.layout, ty, index as u32) as i64;
                            ty = LLVMStructGetTypeAtIndex(ty, index as u32);
                            continue;
                        }
                        LLVMTypeKind::LLVMArrayTypeKind | LLVMTypeKind::LLVMVectorTypeKind => {
                            ty = LLVMGetElementType(ty);
                        }
                        _ => return None,
                    }
                }
                number = number.wrapping_add(index.wrapping_mul(LLVMABISizeOfType(self.layout, ty) as i64));
            }
            Some(Constant { base, number })
        }
    }
}

/// An integer constant as LLVM prints it, `i128 -1`.
///
/// # Safety
/// `constant` is an integer of at most 128 bits.
unsafe fn printed(constant: LLVMValueRef) -> Option<i128> {
    // SAFETY: the caller's promise; the text is ours until it is given back.
    unsafe {
        let text = LLVMPrintValueToString(constant);
        let number = CStr::from_ptr(text).to_str().ok().and_then(|text| {
            let (_, number) = text.rsplit_once(' ')?;
            number.parse().ok()
        });
        LLVMDisposeMessage(text);
        number
    }
}
