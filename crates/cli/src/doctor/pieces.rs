//! The list of what can be there: what each piece is for, and the Debian package that brings it.

use super::probe::{answer, found, libraries, programs, with_version};
use super::{Found, Need, Piece};
use crate::fault::Fault;
use crate::libraries as ours;

/// A program that is looked for by names.
struct Program {
    name: &'static str,
    title: &'static str,
    names: &'static [&'static str],
    switches_off: &'static str,
    package: &'static str,
}

const PROGRAMS: [Program; 10] = [
    Program {
        name: "gcc",
        title: "C compiler gcc",
        names: &["gcc"],
        switches_off: "loads and stores of C programs, if there is no clang either",
        package: "gcc",
    },
    Program {
        name: "g++",
        title: "C++ compiler g++",
        names: &["g++"],
        switches_off: "loads and stores of C++ programs, if there is no clang++ either",
        package: "g++",
    },
    Program {
        name: "gfortran",
        title: "Fortran compiler gfortran",
        names: &["gfortran"],
        switches_off: "loads and stores of Fortran programs",
        package: "gfortran",
    },
    Program {
        name: "clang",
        title: "C compiler clang",
        names: &["clang", "clang-19", "clang-16", "clang-14"],
        switches_off: "checking what clang compiles",
        package: "clang",
    },
    Program {
        name: "flang",
        title: "Fortran compiler flang",
        names: &["flang-new-19", "flang-19"],
        switches_off: "loads and stores of what flang compiles (farside fc flang-new-19), and farside lint of Fortran \
            sources",
        package: "flang-19",
    },
    Program {
        name: "clang-19",
        title: "C and C++ compiler of farside lint",
        names: &["clang-19"],
        switches_off: "farside lint of C and C++ sources, if no other clang is at most version 19",
        package: "clang-19",
    },
    Program {
        name: "llvm",
        title: "LLVM",
        names: &[
            "llvm-config",
            "llvm-config-19",
            "llvm-config-16",
            "llvm-config-14",
        ],
        switches_off: "nothing of farside check",
        package: "llvm",
    },
    Program {
        name: "slurm",
        title: "Slurm's srun",
        names: &["srun"],
        switches_off: "starting programs over the crate farside with srun; farside run and mpirun do it, too",
        package: "slurm-client",
    },
    Program {
        name: "addr2line",
        title: "binutils",
        names: &["addr2line"],
        switches_off: "nothing: farside reads debug information itself; handy for a second opinion",
        package: "binutils",
    },
    Program {
        name: "chromium",
        title: "Chromium",
        names: &["chromium", "chromium-browser", "google-chrome"],
        switches_off: "the test that opens HTML reports; reports themselves need any browser",
        package: "chromium",
    },
];

/// A library that is loaded when it is wanted.
struct Library {
    name: &'static str,
    title: &'static str,
    /// How the file's name begins.
    file: &'static str,
    /// Folders that the loader does not search by itself.
    folders: &'static [&'static str],
    switches_off: &'static str,
    package: &'static str,
}

const LIBRARIES: [Library; 3] = [
    Library {
        name: "libfabric",
        title: "libfabric",
        file: "libfabric.so.1",
        folders: &[],
        switches_off: "the crate farside over networks (--transport ofi, verbs), and the targets ofi:* and libfabric \
            of farside conform",
        package: "libfabric1",
    },
    Library {
        name: "libpmix",
        title: "PMIx",
        file: farside_launch::PMIX_LIBRARY,
        folders: &[],
        switches_off: "programs over the crate farside under Open MPI's mpirun, prterun and srun --mpi=pmix",
        package: "libpmix2",
    },
    Library {
        name: "libomp",
        title: "LLVM's OpenMP runtime",
        file: "libomp.so",
        folders: &["/usr/lib/llvm-*/lib"],
        switches_off: "OpenMP programs that clang or flang compiled (gcc's runtime comes with gcc)",
        package: "libomp-dev",
    },
];

/// An MPI library, known by its launcher's words.
struct Mpi {
    name: &'static str,
    title: &'static str,
    /// What `mpirun --version` says: one of these.
    marks: &'static [&'static str],
    switches_off: &'static str,
    package: &'static str,
}

impl Mpi {
    fn speaks_in(&self, text: &str) -> bool {
        self.marks.iter().any(|mark| text.contains(mark))
    }
}

const MPIS: [Mpi; 3] = [
    Mpi {
        name: "open-mpi",
        title: "Open MPI",
        marks: &["Open MPI", "OpenRTE", "PRTE"],
        switches_off: "checking programs under Open MPI",
        package: "openmpi-bin libopenmpi-dev",
    },
    Mpi {
        name: "mpich",
        title: "MPICH",
        marks: &["HYDRA"],
        switches_off: "checking programs under MPICH",
        package: "mpich libmpich-dev",
    },
    Mpi {
        name: "intel-mpi",
        title: "Intel MPI",
        marks: &["Intel(R) MPI"],
        switches_off: "nothing else: it is used where it is installed",
        package: "",
    },
];

const LAUNCHERS: [&str; 8] = [
    "mpirun",
    "mpiexec",
    "mpirun.openmpi",
    "mpiexec.openmpi",
    "mpirun.mpich",
    "mpiexec.mpich",
    "mpiexec.hydra",
    "orterun",
];
const WRAPPERS: [&str; 12] = [
    "mpicc",
    "mpicxx",
    "mpifort",
    "mpicc.openmpi",
    "mpicxx.openmpi",
    "mpifort.openmpi",
    "mpicc.mpich",
    "mpicxx.mpich",
    "mpifort.mpich",
    "mpiicx",
    "mpiicpx",
    "mpiifx",
];

/// Looks for everything.
pub(super) fn all() -> Vec<Piece> {
    let mut pieces = vec![
        own(
            "preload",
            "farside's preloaded library",
            ours::INTERPOSE,
            Need::Required,
            "farside check",
        ),
        own(
            "callbacks",
            "farside's library for instrumented programs",
            ours::CALLBACKS,
            Need::Optional,
            "farside cc, cxx and fc, and with them loads and stores",
        ),
    ];
    pieces.push(gcc_plugin());
    pieces.push(Piece {
        name: "llvm-front",
        title: "farside's reader of LLVM IR",
        need: Need::Optional,
        found: crate::lint::reader().iter().map(|path| found(path, "")).collect(),
        switches_off: "farside lint (it is built with all of farside, where llvm-19-dev is installed)",
        package: "llvm-19-dev",
        problem: None,
    });
    pieces.extend(mpis());
    let wrappers = programs(&WRAPPERS)
        .iter()
        .map(|path| with_version(path))
        .collect();
    pieces.push(Piece {
        name: "mpi-compilers",
        title: "MPI compiler wrappers",
        need: Need::Optional,
        found: wrappers,
        switches_off: "building MPI programs on this machine",
        package: "libopenmpi-dev or libmpich-dev",
        problem: None,
    });
    pieces.extend(PROGRAMS.iter().map(|program| {
        Piece {
            name: program.name,
            title: program.title,
            need: Need::Optional,
            found: programs(program.names)
                .iter()
                .take(1)
                .map(|path| with_version(path))
                .collect(),
            switches_off: program.switches_off,
            package: program.package,
            problem: None,
        }
    }));
    pieces.extend(LIBRARIES.iter().map(|library| Piece {
        name: library.name,
        title: library.title,
        need: Need::Optional,
        found: libraries(library.folders, library.file),
        switches_off: library.switches_off,
        package: library.package,
        problem: None,
    }));
    pieces
}

/// The plugin for GCC: built with it, and for the version that is here.
fn gcc_plugin() -> Piece {
    let mut piece = own(
        "gcc-plugin",
        "farside's plugin for gcc, g++ and gfortran",
        ours::GCC_PLUGIN,
        Need::Optional,
        "cheap checks of what gcc, g++ and gfortran compile: it costs several times more without",
    );
    piece.package = "gcc-12-plugin-dev, and then farside built again";
    let Ok(path) = ours::find(ours::GCC_PLUGIN) else {
        return piece;
    };
    let here = programs(&["gcc"])
        .first()
        .and_then(|gcc| answer(gcc, "-dumpfullversion"));
    match (ours::gcc_of(&path), here) {
        (None, _) => {
            piece.found.clear();
            piece.problem = Some("farside was built without gcc's headers for plugins".to_owned());
        }
        (Some(version), here) => {
            piece.found = vec![found(&path, &format!("for gcc {version}"))];
            if let Some(here) = here.filter(|here| here.trim() != version) {
                let here = here.trim();
                piece.problem = Some(format!(
                    "it is for gcc {version}, and gcc here is {here}: build farside again with the headers of this gcc, of version 12"
                ));
            }
        }
    }
    piece
}

fn own(
    name: &'static str,
    title: &'static str,
    file: &'static str,
    need: Need,
    switches_off: &'static str,
) -> Piece {
    let (list, problem) = match ours::find(file) {
        Ok(path) => (vec![found(&path, "")], None),
        Err(Fault::LibraryMissing { .. }) => (Vec::new(), None),
        Err(fault) => (Vec::new(), Some(fault.to_string())),
    };
    Piece {
        name,
        title,
        need,
        found: list,
        switches_off,
        package: "",
        problem,
    }
}

/// MPI libraries by their launchers; a launcher that is of none of the known ones is shown under its own words.
fn mpis() -> Vec<Piece> {
    let launchers: Vec<_> = programs(&LAUNCHERS)
        .into_iter()
        .filter_map(|path| Some((answer(&path, "--version")?, path)))
        .collect();
    let piece = |name, title, found: Vec<Found>, switches_off, package| Piece {
        name,
        title,
        need: Need::OneOf,
        found,
        switches_off,
        package,
        problem: None,
    };
    let mut pieces: Vec<Piece> = MPIS
        .iter()
        .map(|mpi| {
            let list = launchers.iter().filter(|(text, _)| mpi.speaks_in(text));
            let list = list
                .map(|(text, path)| found(path, &launcher_version(text)))
                .collect();
            piece(mpi.name, mpi.title, list, mpi.switches_off, mpi.package)
        })
        .filter(|piece| !(piece.found.is_empty() && piece.package.is_empty()))
        .collect();
    let unknown: Vec<Found> = launchers
        .iter()
        .filter(|(text, _)| !MPIS.iter().any(|mpi| mpi.speaks_in(text)))
        .map(|(text, path)| found(path, text.lines().next().unwrap_or_default()))
        .collect();
    if !unknown.is_empty() {
        pieces.push(piece("other-mpi", "another MPI (not tested)", unknown, "", ""));
    }
    pieces
}

/// The version in a launcher's words: `mpirun (Open MPI) 4.1.4`, or a line `Version: 4.0.2`.
fn launcher_version(text: &str) -> String {
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("Version:"))
        .or_else(|| text.lines().next());
    line.unwrap_or_default().trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_launchers() {
        assert_eq!(
            launcher_version("mpirun (Open MPI) 4.1.4\n\nReport bugs"),
            "mpirun (Open MPI) 4.1.4"
        );
        let hydra = "HYDRA build details:\n    Version:                                 4.0.2\n    Release";
        assert_eq!(launcher_version(hydra), "4.0.2");
    }

    #[test]
    fn every_piece_says_what_it_is_for() {
        for piece in all() {
            assert!(!piece.title.is_empty());
            assert!(
                !piece.switches_off.is_empty() || piece.name == "other-mpi",
                "{}",
                piece.name
            );
        }
    }
}
