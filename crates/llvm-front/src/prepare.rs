//! What LLVM itself does to a module before the reader proper sees it: less to read, and nothing that only LLVM can
//! say.
//!
//! 1. Constant expressions become numbers ([`crate::constants`]).
//! 2. Scalar variables whose address is never taken become registers (LLVM's pass `mem2reg`; Cytron et al. 1991).
//!    Nobody but their function can reach them, so that no access that could conflict with another is lost; what
//!    compilers write without optimisation consists of such accesses for the most part.
//! 3. Jumps to labels whose addresses were taken become switches ([`crate::jumps`]).
//! 4. Of debug information, places and the names of local variables ([`crate::variables`]) are kept, and types are not.

use crate::{constants, jumps, variables};
use llvm_sys::bit_writer::LLVMWriteBitcodeToFile;
use llvm_sys::core::*;
use llvm_sys::error::LLVMConsumeError;
use llvm_sys::prelude::*;
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// What is run, in the notation of `opt`.
const PASSES: &CStr = c"function(mem2reg),strip-nonlinetable-debuginfo";

/// Writes the module at `from` to `to`, as bitcode that is easier to read. False if it cannot be read or written; the
/// reader proper then takes the file as it is, and reports what is wrong with it.
pub(crate) fn prepare(from: &Path, to: &Path) -> bool {
    // LLVM takes anything else for text, of which an empty file is a module.
    if from.extension().is_none_or(|extension| extension != "ll") && !is_bitcode(from) {
        return false;
    }
    let name = |path: &Path| path.to_str().and_then(|path| CString::new(path).ok());
    let (Some(from), Some(to)) = (name(from), name(to)) else {
        return false;
    };
    let mut written = false;
    // SAFETY: every handle is used after its creation here, and by this thread alone; the parser owns the buffer from
    // its call on, whether it succeeds or not; a module is read only when the parser returned 0.
    unsafe {
        let context = LLVMContextCreate();
        let (mut buffer, mut module, mut message) =
            (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        if LLVMCreateMemoryBufferWithContentsOfFile(from.as_ptr(), &mut buffer, &mut message) == 0
            && llvm_sys::ir_reader::LLVMParseIRInContext(context, buffer, &mut module, &mut message) == 0
        {
            jumps::number(context, module);
            constants::evaluate(context, module);
            variables::mark(module);
            promote(module);
            written = LLVMWriteBitcodeToFile(module, to.as_ptr()) == 0;
        }
        if !message.is_null() {
            LLVMDisposeMessage(message);
        }
        // The context and the module stay until the process ends, which reads one file: to take them apart, node by
        // node, takes a sixth of the time of reading.
    }
    written
}

/// Whether a file begins as bitcode does, or as bitcode in a wrapper.
fn is_bitcode(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && [*b"BC\xc0\xde", [0xde, 0xc0, 0x17, 0x0b]].contains(&start)
}

/// Runs the passes. Where one fails, the module is as valid as before, and as long.
///
/// # Safety
/// The module is a valid one that nobody else uses.
unsafe fn promote(module: LLVMModuleRef) {
    // SAFETY: the caller's promise; no machine is needed by these passes, and the error is given back.
    unsafe {
        let attribute = "optnone";
        let kind = LLVMGetEnumAttributeKindForName(attribute.as_ptr().cast(), attribute.len());
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            LLVMRemoveEnumAttributeAtIndex(function, llvm_sys::LLVMAttributeFunctionIndex, kind);
            function = LLVMGetNextFunction(function);
        }
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPasses(module, PASSES.as_ptr(), std::ptr::null_mut(), options);
        if !error.is_null() {
            LLVMConsumeError(error);
        }
        LLVMDisposePassBuilderOptions(options);
    }
}
