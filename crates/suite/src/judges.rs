//! Judges recordings by one judge and by several: what is found must be the same to the last word.

use crate::Arguments;
use crate::library::Library;
use crate::program::Program;
use crate::run::{self, Settings};
use farside_check::{Ties, judge_again};
use farside_race::Options;
use std::fs;
use std::path::Path;

/// Numbers of judges that are compared with one.
const SEVERAL: [usize; 3] = [2, 3, 16];

/// Runs all programs once, judges each recording in several ways, and says whether all findings are the same.
pub(crate) fn score(
    arguments: &Arguments,
    settings: &Settings,
    programs: &[Program],
) -> Result<bool, String> {
    let (mut judged, mut findings, mut left_out, mut unlike) = (0, 0, 0, 0);
    for libraries in arguments.library.libraries() {
        for program in programs {
            for library in arguments.library.runs(libraries, program) {
                let binary = run::compile(settings, program, library)?;
                match one(settings, program, library, &binary) {
                    Ok((found, same)) => {
                        judged += 1;
                        findings += found;
                        unlike += usize::from(!same);
                    }
                    Err(reason) => {
                        let (topic, name) = (&program.topic, &program.name);
                        eprintln!("{topic}/{name} on {}: {reason}", library.name());
                        left_out += 1;
                    }
                }
            }
        }
    }
    println!(
        "{judged} runs judged, {findings} findings, {left_out} left out, {unlike} where several judges differ"
    );
    Ok(unlike == 0 && judged > 0)
}

/// How many findings there are, and whether all judges have the same.
fn one(
    settings: &Settings,
    program: &Program,
    library: Library,
    binary: &Path,
) -> Result<(usize, bool), String> {
    let folder = binary
        .parent()
        .unwrap_or(Path::new("."))
        .join(format!("judges-{}", library.name()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let spool = run::record(settings, program, library, binary, &folder)?;
    let hanging = program.label.time_limit.is_some();
    let judge = |judges| judge_again(&spool, Options::default(), (Ties::Estimated, judges), hanging);
    let alone = judge(1);
    let mut same = true;
    for judges in SEVERAL {
        let again = judge(judges);
        if again.findings != alone.findings || again.events != alone.events {
            let (topic, name) = (&program.topic, &program.name);
            println!(
                "{topic}/{name} on {}, {judges} judges: {:#?}",
                library.name(),
                again.findings
            );
            println!("one judge: {:#?}", alone.findings);
            same = false;
        }
    }
    if same {
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    Ok((alone.findings.len(), same))
}
