//! What a program file says about itself: can our library get in, and what would it see?

use object::elf::{FileHeader64, PT_INTERP};
use object::read::elf::{ElfFile, ProgramHeader};
use object::{Architecture, Endianness, Object, ObjectSymbol, ReadCache};
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// An ELF program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// The machine that it is built for.
    architecture: String,
    /// Whether it is built for this machine.
    native: bool,
    /// Whether it has a dynamic loader (and so a chance for LD_PRELOAD).
    dynamic: bool,
    /// Whether the MPI library is linked into it.
    contains_mpi: bool,
    /// Whether it calls MPI itself, from a shared library or from inside.
    calls_mpi: bool,
    /// Whether it calls MPI, OpenSHMEM or GASPI itself.
    communicates: bool,
    /// Whether its loads and stores report themselves.
    instrumented: bool,
}

/// Why a program cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// It is built for this other machine.
    OtherArchitecture(String),
    /// MPI is linked into it, as is said here.
    StaticMpi(&'static str),
}

impl Program {
    /// Whether it has a dynamic loader: without one, our library cannot get in.
    pub(crate) fn has_loader(&self) -> bool {
        self.dynamic
    }

    /// Whether it calls MPI, OpenSHMEM or GASPI itself. What libraries do for it is not looked at.
    pub(crate) fn communicates(&self) -> bool {
        self.communicates
    }

    /// Whether it calls MPI, and its loads and stores will not be seen.
    pub(crate) fn hides_accesses(&self) -> bool {
        self.calls_mpi && !self.instrumented
    }

    /// Why it cannot be checked, if it cannot.
    pub(crate) fn unfit(&self) -> Option<Unfit> {
        match (self.native, self.contains_mpi, self.dynamic) {
            (false, ..) => Some(Unfit::OtherArchitecture(self.architecture.clone())),
            (true, true, false) => Some(Unfit::StaticMpi("it is linked statically, MPI included")),
            (true, true, true) => Some(Unfit::StaticMpi("the MPI library is linked into it statically")),
            (true, false, _) => None,
        }
    }
}

/// How functions of OpenSHMEM and GASPI begin, Fortran's too.
const COMMUNICATES: [&[u8]; 3] = [b"shmem_", b"start_pes", b"gaspi_"];

/// Reads an executable file; `None` if it is not ELF (a script, say).
pub(crate) fn examine(path: &Path) -> Option<Program> {
    let cache = ReadCache::new(File::open(path).ok()?);
    let any = object::File::parse(&cache).ok()?;
    if any.format() != object::BinaryFormat::Elf {
        return None;
    }
    let architecture = format!("{:?}", any.architecture()).to_lowercase();
    let native = match any.architecture() {
        Architecture::X86_64 => std::env::consts::ARCH == "x86_64",
        Architecture::Aarch64 => std::env::consts::ARCH == "aarch64",
        // Others we do not know well enough to refuse.
        _ => any.is_64(),
    };
    let mut program = Program {
        architecture,
        native,
        dynamic: has_interpreter(&cache).unwrap_or(true),
        contains_mpi: false,
        calls_mpi: false,
        communicates: false,
        instrumented: false,
    };
    for symbol in any.symbols().chain(any.dynamic_symbols()) {
        let name = symbol.name_bytes().unwrap_or_default();
        let is_init = matches!(
            name,
            b"MPI_Init" | b"MPI_Init_thread" | b"PMPI_Init" | b"PMPI_Init_thread"
        );
        let is_mpi = is_init || name.starts_with(b"MPI_") || name.starts_with(b"mpi_");
        program.contains_mpi |= is_init && symbol.is_definition();
        program.calls_mpi |= is_mpi && (symbol.is_undefined() || is_init);
        program.communicates |= is_mpi || COMMUNICATES.iter().any(|begin| name.starts_with(begin));
        program.instrumented |= name.starts_with(b"__tsan_") && symbol.is_undefined();
    }
    Some(program)
}

fn has_interpreter(cache: &ReadCache<File>) -> Option<bool> {
    let elf = ElfFile::<FileHeader64<Endianness>, _>::parse(cache).ok()?;
    let endian = elf.endian();
    Some(
        elf.elf_program_headers()
            .iter()
            .any(|header| header.p_type(endian) == PT_INTERP),
    )
}

/// Rights that make the dynamic loader ignore LD_PRELOAD for us; `None` if there are none.
pub(crate) fn secure_execution(path: &Path) -> Option<&'static str> {
    let metadata = fs::metadata(path).ok()?;
    let mode = metadata.permissions().mode();
    if mode & 0o4000 != 0 && metadata.uid() != rustix::process::geteuid().as_raw() {
        return Some("it is set-user-id");
    }
    if mode & 0o2010 == 0o2010 && metadata.gid() != rustix::process::getegid().as_raw() {
        return Some("it is set-group-id");
    }
    // The loader is strict for everyone but root, who has all capabilities before.
    let mut value = [0_u8; 64];
    let has_capabilities = rustix::fs::getxattr(path, "security.capability", &mut value[..]).is_ok();
    (has_capabilities && !rustix::process::geteuid().is_root()).then_some("it has file capabilities")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_test_is_a_dynamic_program_without_mpi() {
        let program = examine(&std::env::current_exe().unwrap()).unwrap();
        assert!(program.native && program.dynamic);
        assert!(!program.contains_mpi && !program.instrumented && !program.communicates);
    }

    #[test]
    fn a_script_is_no_program_of_this_kind() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "#!/bin/sh\n").unwrap();
        assert_eq!(examine(file.path()), None);
    }
}
