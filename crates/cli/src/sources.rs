//! Sources as they are on this machine: what a report says of those that it names.

use farside_findings::{Report, SourceFile};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Larger files are no source code.
const LIMIT: u64 = 16 << 20;

/// What is in the sources that a report names, as far as they are here.
pub(crate) fn named_by(report: &Report) -> Vec<SourceFile> {
    let mut built: HashMap<&str, SystemTime> = HashMap::new();
    let frames = report.findings.iter().flat_map(|finding| &finding.parties);
    for frame in frames.flat_map(|party| &party.stack) {
        let (Some(place), Some(module)) = (&frame.place, &frame.module) else {
            continue;
        };
        if let Ok(time) = fs::metadata(module).and_then(|module| module.modified()) {
            let latest = built.entry(&place.file).or_insert(time);
            *latest = time.max(*latest);
        }
    }
    let source = |file: &str| {
        let path = path_of(report, file);
        let changed = fs::metadata(&path).and_then(|found| found.modified()).ok()?;
        Some(SourceFile {
            file: file.to_owned(),
            sha256: hash(&read(&path)?),
            stale: built.get(file).is_some_and(|built| changed > *built),
        })
    };
    report.named_sources().into_iter().filter_map(source).collect()
}

/// Where a source of a report is.
pub(crate) fn path_of(report: &Report, file: &str) -> PathBuf {
    Path::new(&report.program.folder).join(file)
}

/// SHA-256, in hexadecimal digits.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// What is in a file. The name comes from the checked program: a device or pipe must not block us.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    let found = fs::metadata(path).ok()?;
    let is_source = found.is_file() && found.len() <= LIMIT;
    is_source.then(|| fs::read(path).ok())?
}
