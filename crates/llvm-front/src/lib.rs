//! LLVM IR becomes the lint's own IR.
//!
//! Promise: the lowering keeps every load, store, call and branch, and where it stands, but for accesses to variables
//! that only their function can reach (`prepare`). Limits: inline assembly and vector instructions are not followed,
//! integers of more than 64 bits, but for 128 (`halves`), are opaque.
//!
//! It reads LLVM 19 through the crate `llvm-ir`. LLVM ends the process on some broken inputs; so the program
//! `farside-llvm-front` does the reading, and `farside` starts it.

mod constants;
mod halves;
mod instructions;
mod jumps;
mod layout;
mod lower;
mod operands;
mod prepare;
mod variables;

use std::path::Path;

/// Reads a file of bitcode, or of text IR if its name ends in `.ll`.
///
/// # Errors
/// What LLVM says is wrong with it.
pub fn read(path: &Path) -> Result<farside_lint::ir::Module, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no room for a temporary file: {error}"))?;
    let prepared = folder.path().join("prepared.bc");
    let module = if prepare::prepare(path, &prepared) {
        llvm_ir::Module::from_bc_path(&prepared)
    } else if path.extension().is_some_and(|extension| extension == "ll") {
        llvm_ir::Module::from_ir_path(path)
    } else {
        llvm_ir::Module::from_bc_path(path)
    };
    Ok(lower::lower(&module?))
}
