//! `farside fix` of a report of `farside robust --repair`: the repairs that it has found, in the sources of C and C++
//! programs.
//!
//! Each was read again with its repair, and was robust, when the report was made. With a command it is checked once
//! more: what does not make a program robust is taken back.

use super::arguments::FixArguments;
use super::{diff_of, files, rounds};
use crate::fault::{Fault, no_text, report_text};
use crate::output::{print, say};
use crate::sources;
use crate::status::Status;
use farside_robustness::{FileRepair, Judgement, Report, SCHEMA_VERSION, Verdict};
use std::fs;
use std::path::{Path, PathBuf};

/// A program whose sources change.
struct Repaired<'r> {
    program: &'r Judgement,
    files: Vec<Changed>,
}

/// A source that changes.
struct Changed {
    path: PathBuf,
    old: String,
    new: String,
}

impl Repaired<'_> {
    /// Whether both change one file.
    fn meets(&self, other: &Self) -> bool {
        let is_of = |path: &PathBuf| other.files.iter().any(|file| file.path == *path);
        self.files.iter().any(|file| is_of(&file.path))
    }
}

/// The report of a file; none if it is another kind of report, or nothing that can be read.
pub(super) fn read(path: &Path) -> Result<Option<Report>, Fault> {
    let text = report_text(path)?;
    let Ok(report) = serde_json::from_slice::<Report>(&text) else {
        return Ok(None);
    };
    if report.schema_version != SCHEMA_VERSION {
        let why = format!("it has version {} of the format", report.schema_version);
        return Err(Fault::NotReport(path.to_path_buf(), why));
    }
    Ok(Some(report))
}

/// Repairs the programs of a report that are not robust.
pub(super) fn run(arguments: &FixArguments, report: &Report) -> Result<Status, Fault> {
    let wanted = arguments.wanted();
    let of_name = |name: &String| report.programs.iter().any(|program| is_called(program, name));
    if let Some(unknown) = wanted.iter().find(|name| !of_name(name)) {
        return Err(Fault::NoSuchFinding(unknown.clone()));
    }
    let open: Vec<&Judgement> = report
        .programs
        .iter()
        .filter(|program| program.verdict != Verdict::Robust)
        .filter(|program| wanted.is_empty() || wanted.iter().any(|name| is_called(program, name)))
        .collect();
    let mut repaired: Vec<Repaired<'_>> = Vec::new();
    let mut input = false;
    for program in &open {
        match of_program(program) {
            Ok(new) if repaired.iter().any(|other| other.meets(&new)) => {
                say!(
                    "farside: not repaired: {}: another repair of the report changes the same file",
                    program.file
                );
            }
            Ok(new) => repaired.push(new),
            Err((of_input, why)) => {
                input |= of_input;
                say!("farside: not repaired: {}: {why}", program.file);
            }
        }
    }
    let asks = arguments.command().is_some();
    let kept = match asks {
        true => checked(arguments, &repaired)?,
        false => true,
    };
    if arguments.applies() && !asks {
        write(&repaired, true)?;
    }
    if kept {
        for file in repaired.iter().flat_map(|one| &one.files) {
            print(&diff_of(&file.path, &file.old, &file.new))?;
        }
    }
    let files = repaired.iter().map(|one| one.files.len()).sum();
    let (done, files) = if kept { (repaired.len(), files) } else { (0, 0) };
    let changed = if asks || arguments.applies() {
        "changed"
    } else {
        "would change"
    };
    say!(
        "farside: {done} of {} programs repaired; {files} files {changed}",
        open.len()
    );
    Ok(match () {
        () if input => Status::Usage,
        () if done == open.len() => Status::Clean,
        () => Status::Findings,
    })
}

/// Whether a program is meant by a name: one of its files, or what it calls itself.
fn is_called(program: &Judgement, name: &str) -> bool {
    program.file == name || program.name == name || program.further.iter().any(|file| file == name)
}

/// The sources with the repair; else why there is none, and whether a source is at fault.
fn of_program(program: &Judgement) -> Result<Repaired<'_>, (bool, String)> {
    let refused = |why: &str| (false, why.to_owned());
    if program.verdict == Verdict::Inconclusive {
        return Err(refused("it is not known whether it is robust"));
    }
    let Some(repair) = &program.repair else {
        return Err(refused("the report has no repair: make it with --repair"));
    };
    if let Some(reason) = &repair.reason {
        return Err(refused(&format!("there is no repair: {reason}")));
    }
    let Some(source) = &repair.source else {
        let why = repair.unwritten.as_deref();
        return Err(refused(why.unwrap_or(
            "it is no C or C++ program: --repaired FILE of farside robust writes the repaired one",
        )));
    };
    let files = source.files.iter().map(|file| changed(&source.folder, file));
    let files = files.collect::<Result<_, _>>().map_err(|why| (true, why))?;
    Ok(Repaired { program, files })
}

/// A source with its part of a repair; else why there is none.
fn changed(folder: &str, repair: &FileRepair) -> Result<Changed, String> {
    let path = Path::new(folder).join(&repair.file);
    let at_fault = |why: &str| format!("{}: {why}", repair.file);
    let bytes = sources::read(&path).ok_or_else(|| at_fault("it cannot be read"))?;
    if sources::hash(&bytes) != repair.sha256 {
        return Err(at_fault(
            "it was changed since the report: decide the program again",
        ));
    }
    if fs::metadata(&path).is_ok_and(|found| found.permissions().readonly()) {
        return Err(at_fault("it is read-only"));
    }
    let old = String::from_utf8(bytes).map_err(|error| at_fault(&no_text(error.as_bytes())))?;
    let new = repair.applied(&old);
    let new = new.ok_or_else(|| at_fault("it has other lines than the report says"))?;
    Ok(Changed { path, old, new })
}

fn write(repaired: &[Repaired<'_>], new: bool) -> Result<(), Fault> {
    let text = |file: &'_ Changed| (file.path.clone(), if new { &file.new } else { &file.old }.clone());
    let texts: Vec<(PathBuf, String)> = repaired.iter().flat_map(|one| &one.files).map(text).collect();
    let borrowed: Vec<(PathBuf, &str)> = texts
        .iter()
        .map(|(path, text)| (path.clone(), text.as_str()))
        .collect();
    files::write(&borrowed)
}

/// Changes the sources and lets the command decide again; takes it back unless all that was repaired is robust then.
fn checked(arguments: &FixArguments, repaired: &[Repaired<'_>]) -> Result<bool, Fault> {
    if repaired.is_empty() {
        return Ok(true);
    }
    let path = arguments.report();
    let unwritable = |error| Fault::Unwritable(path.to_path_buf(), error);
    let known = fs::read(path).map_err(|error| Fault::Unreadable(path.to_path_buf(), error))?;
    write(repaired, true)?;
    fs::remove_file(path).map_err(unwritable)?;
    let ended = rounds::check(arguments);
    let new = match path.exists() {
        true => read(path)?,
        false => None,
    };
    let is_robust = |one: &Repaired<'_>| {
        new.iter()
            .flat_map(|report| &report.programs)
            .any(|program| program.file == one.program.file && program.verdict == Verdict::Robust)
    };
    let kept = ended.is_ok() && repaired.iter().all(is_robust);
    if !kept {
        write(repaired, false)?;
        fs::write(path, known).map_err(unwritable)?;
        say!("farside: the command did not find the programs robust: taken back");
    }
    ended?;
    Ok(kept)
}
