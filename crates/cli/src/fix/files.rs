//! The files that are edited: read if they are what the report says, written whole or not at all.

use crate::fault::{Fault, no_text};
use crate::sources;
use farside_findings::{Place, Report};
use farside_fix::Refusal;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The text of a source of a report.
///
/// # Errors
/// It cannot be edited.
pub(super) fn text(report: &Report, file: &str) -> Result<String, Refusal> {
    let path = sources::path_of(report, file);
    let place = Place {
        file: file.to_owned(),
        ..Place::default()
    };
    if place.is_in_system_header() {
        return Err(Refusal::NotOwn(file.to_owned()));
    }
    let unreadable = |why: String| Refusal::Unreadable(file.to_owned(), why);
    let found = fs::metadata(&path).map_err(|error| unreadable(error.to_string()))?;
    let bytes = sources::read(&path).ok_or_else(|| unreadable("it is no source".to_owned()))?;
    let known = report.sources.iter().find(|source| source.file == file);
    let known = known.ok_or_else(|| Refusal::NotOfReport(file.to_owned()))?;
    if sources::hash(&bytes) != known.sha256 {
        return Err(Refusal::Changed(file.to_owned()));
    }
    if known.stale {
        return Err(Refusal::Stale(file.to_owned()));
    }
    if found.permissions().readonly() {
        return Err(Refusal::ReadOnly(file.to_owned()));
    }
    String::from_utf8(bytes).map_err(|error| unreadable(no_text(error.as_bytes())))
}

/// Replaces files whole: if one cannot be written, none is changed.
pub(super) fn write(texts: &[(PathBuf, &str)]) -> Result<(), Fault> {
    let made: Result<Vec<(NamedTempFile, PathBuf)>, Fault> = texts.iter().map(beside).collect();
    for (file, path) in made? {
        file.persist(&path)
            .map_err(|error| Fault::Unwritable(path, error.error))?;
    }
    Ok(())
}

/// The new text in a file beside the old one.
fn beside((path, text): &(PathBuf, &str)) -> Result<(NamedTempFile, PathBuf), Fault> {
    // A link stays a link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
    let write = || {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file()
            .set_permissions(fs::metadata(&path)?.permissions())?;
        file.as_file().sync_all()?;
        Ok(file)
    };
    let file = write().map_err(|error| Fault::Unwritable(path.clone(), error))?;
    Ok((file, path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_findings::SourceFile;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn only_what_the_report_is_about_is_edited() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        fs::write(&path, "int a;\n").unwrap();
        let mut report = Report::default();
        report.program.folder = folder.path().display().to_string();
        let name = || "a.c".to_owned();
        assert_eq!(text(&report, "a.c"), Err(Refusal::NotOfReport(name())));
        report.sources = vec![SourceFile {
            file: name(),
            sha256: sources::hash(b"int a;\n"),
            stale: false,
        }];
        assert_eq!(text(&report, "a.c").unwrap(), "int a;\n");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        assert_eq!(text(&report, "a.c"), Err(Refusal::ReadOnly(name())));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        fs::write(&path, "int b;\n").unwrap();
        assert_eq!(text(&report, "a.c"), Err(Refusal::Changed(name())));
        assert!(matches!(text(&report, "b.c"), Err(Refusal::Unreadable(..))));
    }

    #[test]
    fn all_files_are_written_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let (one, missing) = (folder.path().join("one"), folder.path().join("none/two"));
        fs::write(&one, "old").unwrap();
        assert!(write(&[(one.clone(), "new"), (missing, "new")]).is_err());
        assert_eq!(fs::read_to_string(&one).unwrap(), "old");
        fs::set_permissions(&one, fs::Permissions::from_mode(0o755)).unwrap();
        write(&[(one.clone(), "new")]).unwrap();
        assert_eq!(fs::read_to_string(&one).unwrap(), "new");
        assert_eq!(fs::metadata(&one).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
