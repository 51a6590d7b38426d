//! The tests that are meant.

use crate::fault::Fault;
use crate::litmus::{language, sources};
use farside_conform::Case;
use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;

/// The tests of files, folders and lists, in order.
pub(super) fn cases(named: &[PathBuf]) -> Result<Vec<Case>, Fault> {
    let mut cases = Vec::new();
    let mut names = HashSet::new();
    for path in sources::find(named)? {
        let source = sources::read(&path)?;
        match language::parse(&source, false) {
            Ok(program) => {
                if !names.insert(program.name.clone()) {
                    let why = "another test has its name, and histograms are told apart by name";
                    return Err(Fault::NoTests(path, why));
                }
                cases.push(Case {
                    path: source.path,
                    text: source.text,
                    program,
                });
            }
            Err(shown) => {
                // Nothing can be done about a stderr that is gone.
                let _ = std::io::stderr().write_all(shown.as_bytes());
                return Err(Fault::NoTests(path, "the test above has mistakes"));
            }
        }
    }
    Ok(cases)
}
