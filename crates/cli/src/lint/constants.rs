//! Constants of OpenSHMEM's header, to which the standard gives names and no values: the compiler is asked for them,
//! with the options of the source that uses them, by a module that holds them in a variable.

use super::reading::Reading;
use super::units::Unit;
use super::{compile, front};
use crate::kinds::Language;
use farside_lint::ir::Module;
use std::path::Path;

/// What is compiled. The order is that of `farside_lint`'s `shmem::constants`.
const SOURCE: &str = r#"#include <shmem.h>
#ifdef __cplusplus
extern "C"
#endif
const int farside_shmem_constants[] = {
    SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE,
#ifdef SHMEM_SIGNAL_SET
    SHMEM_SIGNAL_SET,
#else
    0,
#endif
};
"#;

/// Whether a module calls what has such constants among its arguments.
pub(super) fn are_used(module: &Module) -> bool {
    let calls = |name: &str| {
        name.contains("shmem_") && ["wait", "test", "signal"].iter().any(|word| name.contains(word))
    };
    let mut functions = module.functions.iter();
    functions.any(|function| function.blocks.is_empty() && calls(&function.name))
}

/// The module that holds them; `None` if the header is not there, as for a program that declares all by itself.
pub(super) fn of(unit: &Unit, reading: &Reading, folder: &Path) -> Option<Module> {
    let language = match unit.language {
        Language::Cxx => Language::Cxx,
        Language::C | Language::Fortran | Language::Ir => Language::C,
    };
    let file = folder.join(match language {
        Language::Cxx => "shmem_constants.cpp",
        _ => "shmem_constants.c",
    });
    std::fs::write(&file, SOURCE).ok()?;
    let mut asked = Unit {
        file,
        language,
        ..unit.clone()
    };
    let ir = compile::to_ir(&mut asked, reading, folder, usize::MAX).ok()?;
    front::read(&asked.file, &ir, reading).ok()
}
