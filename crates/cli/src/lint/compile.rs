//! Runs clang or flang: a source becomes LLVM bitcode with debug information.

use super::reading::Reading;
use super::units::Unit;
use crate::fault::Fault;
use crate::kinds::Language;
use farside_processes::limited::{self, Ended};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// Compilers that are tried, in this order. LLVM reads what earlier versions wrote.
const CLANG: [&str; 3] = ["clang-19", "clang", "clang-14"];
const CLANG_CXX: [&str; 3] = ["clang++-19", "clang++", "clang++-14"];
const FLANG: [&str; 3] = ["flang-new-19", "flang-19", "flang-new"];

/// What gcc 12 warns of in C, and newer compilers refuse: programs of before C99 are built with it to this day.
const WARNED_OF: [&str; 4] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
];

/// The IR of a unit: itself, or what the compiler makes of it. What does not compile is tried with Farside's headers of
/// OpenSHMEM 1.5 and GASPI before all others, for a library's header may be older than the program; if that helps,
/// they become options of the unit.
pub(super) fn to_ir(
    unit: &mut Unit,
    reading: &Reading,
    folder: &Path,
    index: usize,
) -> Result<PathBuf, Fault> {
    let fault = match compiled(unit, reading, folder, index) {
        Err(fault) if matches!(unit.language, Language::C | Language::Cxx) => fault,
        result => return result,
    };
    let own = crate::libraries::headers();
    let mut with_own = unit.clone();
    let options = own.iter().flat_map(|folder| ["-I".into(), folder.into()]);
    with_own.options.splice(0..0, options);
    let result = compiled(&with_own, reading, folder, index).map_err(|_| fault)?;
    *unit = with_own;
    Ok(result)
}

fn compiled(unit: &Unit, reading: &Reading, folder: &Path, index: usize) -> Result<PathBuf, Fault> {
    let result = folder.join(format!("{index}.bc"));
    let compilers = match unit.language {
        Language::Ir => return Ok(unit.file.clone()),
        Language::C => CLANG,
        Language::Cxx => CLANG_CXX,
        Language::Fortran => FLANG,
    };
    let mut options: Vec<OsString> = ["-O0", "-emit-llvm", "-c"].map(OsString::from).to_vec();
    if unit.language == Language::Fortran {
        options.push("-g".into());
        options.extend(fortran_modules(folder, reading.seconds())?);
    } else {
        // Of debug information, only places are read.
        options.extend(["-w", "-gline-tables-only", "-fno-discard-value-names"].map(OsString::from));
    }
    if unit.language == Language::C {
        options.extend(WARNED_OF.map(OsString::from));
    }
    if unit.language == Language::Cxx {
        // With it, libstdc++'s headers do not leave the code of std::string to the library: it comes into the module.
        options.push("-D_GLIBCXX_ASSERTIONS".into());
    }
    let of_c = unit.language != Language::Fortran;
    if of_c && unit.options.iter().any(|option| option == "-fopenmp") {
        options.extend(openmp_headers(&folder.join(format!("openmp{index}"))));
    }
    options.extend(unit.options.iter().cloned());
    if of_c {
        // After the program's own folders: these may have another library's header of the same name.
        options.extend(reading.headers(headers).iter().cloned());
    }
    options.push("-o".into());
    options.push(result.clone().into());
    options.push(unit.whole_path().into());
    start(
        &compilers,
        &options,
        unit.folder.as_deref(),
        &unit.file,
        reading.seconds(),
    )?;
    Ok(result)
}

/// Starts the first of the compilers that is there; `file` is named in errors.
fn start(
    compilers: &[&str],
    options: &[OsString],
    folder: Option<&Path>,
    file: &Path,
    seconds: u64,
) -> Result<(), Fault> {
    let wrong = |why: String| Fault::NotLinted(file.to_path_buf(), why);
    for compiler in compilers {
        let mut command = Command::new(compiler);
        command.args(options);
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        match limited::run(&mut command, Duration::from_secs(seconds)) {
            Ended::Exited(output) if output.status.success() => return Ok(()),
            Ended::Exited(output) => {
                let lines = first_lines(&output);
                return Err(wrong(format!(
                    "{compiler} found errors in it:\n{lines}{}",
                    advice(&lines, file)
                )));
            }
            Ended::TimedOut => {
                return Err(wrong(format!(
                    "{compiler} took longer than {seconds} s (--seconds allows more)"
                )));
            }
            Ended::NotThere => {}
            Ended::Failed(error) => return Err(Fault::NotStarted((*compiler).to_owned(), error)),
        }
    }
    let package = if compilers == FLANG {
        "flang-19"
    } else {
        "clang-19"
    };
    Err(wrong(format!(
        "{} was not found; install it (Debian: {package})",
        compilers[0]
    )))
}

/// What to type where a header is missing that an option of the compiler brings.
fn advice(errors: &str, file: &Path) -> String {
    match errors.contains("'omp.h' file not found") {
        true => format!(
            "\n  {0} is a program with OpenMP: give `-- -fopenmp` after it, as in `{0} -- -fopenmp`",
            farside_processes::plain(&file.display().to_string())
        ),
        false => String::new(),
    }
}

/// Options by which flang finds the modules `mpi` and `mpi_f08` and `mpif.h`, which are made at the first Fortran
/// source, and the modules of the program, which lie in the same folder once they are compiled.
fn fortran_modules(folder: &Path, seconds: u64) -> Result<Vec<OsString>, Fault> {
    let modules = folder.join("modules");
    let options: Vec<OsString> = vec![
        "-I".into(),
        modules.clone().into(),
        "-module-dir".into(),
        modules.clone().into(),
    ];
    if modules.is_dir() {
        return Ok(options);
    }
    std::fs::create_dir(&modules).map_err(|error| Fault::Unwritable(modules.clone(), error))?;
    for source in farside_lint::fortran::sources() {
        let path = modules.join(source.name);
        std::fs::write(&path, source.text).map_err(|error| Fault::Unwritable(path.clone(), error))?;
        if source.module {
            let mut all = vec!["-fsyntax-only".into()];
            all.extend(options.iter().cloned());
            all.push(path.clone().into());
            start(&FLANG, &all, None, &path, seconds)?;
        }
    }
    Ok(options)
}

/// The compiler that knows where shmem.h is, if MPI's does not.
const OSHCC: &str = "oshcc";

/// The same folder, looked into when all others have been.
fn last(option: OsString) -> Vec<OsString> {
    let folder = option.to_str().and_then(|option| option.strip_prefix("-I"));
    let folder = folder.map(|folder| vec!["-idirafter".into(), folder.into()]);
    folder.unwrap_or_else(|| vec![option])
}

/// Where the headers of the libraries are: those of MPI, and after all others those of OpenSHMEM.
fn headers(mpicc: &OsStr) -> Vec<OsString> {
    let of_shmem = || include_options(OsStr::new(OSHCC));
    let (mut options, of_shmem) = rayon::join(|| include_options(mpicc), of_shmem);
    options.extend(of_shmem.into_iter().flat_map(last));
    options
}

/// Where the headers of a library are, as its compiler says: Open MPI's by `--showme:compile`, MPICH's by `-show`.
fn include_options(mpicc: &OsStr) -> Vec<OsString> {
    for question in ["--showme:compile", "-show"] {
        let Ok(output) = Command::new(mpicc).arg(question).output() else {
            return Vec::new();
        };
        if output.status.success() {
            let words = String::from_utf8_lossy(&output.stdout).into_owned();
            return words
                .split_whitespace()
                .filter(|word| word.starts_with("-I") || word.starts_with("-D"))
                .map(OsString::from)
                .collect();
        }
    }
    Vec::new()
}

/// Debian has `omp.h` in a package of its own (libomp-dev), for one version of clang; its declarations fit others, too.
/// It is copied, as the folder has other headers of that version, which must not be found.
fn openmp_headers(alone: &Path) -> Vec<OsString> {
    let entries = |folder: &Path| {
        let read = std::fs::read_dir(folder).into_iter().flatten();
        let mut paths: Vec<PathBuf> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        paths
    };
    let versions = entries(Path::new("/usr/lib"))
        .into_iter()
        .filter(|path| path.to_string_lossy().contains("/llvm-"));
    let folders = versions.flat_map(|version| entries(&version.join("lib/clang")));
    let with_header =
        |folder: PathBuf| Some(folder.join("include")).filter(|folder| folder.join("omp.h").is_file());
    let Some(found) = folders.filter_map(with_header).max() else {
        return Vec::new();
    };
    let copied =
        std::fs::create_dir_all(alone).and_then(|()| std::fs::copy(found.join("omp.h"), alone.join("omp.h")));
    match copied {
        Ok(_) => vec!["-idirafter".into(), alone.into()],
        Err(_) => Vec::new(),
    }
}

fn first_lines(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().take(20).collect();
    crate::fault::plain_lines(&lines)
}
