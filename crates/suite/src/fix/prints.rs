//! What a program prints, run by itself without the checker, and whether that is the same each time.

use super::price::without_comments;
use super::repair::output;
use crate::library::Library;
use crate::program::Program;
use crate::run::{self, Settings};

/// How a program ended, and if it ended well what it printed: its lines in no order, since each rank prints when it
/// comes to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Printed {
    status: Option<i32>,
    lines: Vec<String>,
}

/// What a repaired program prints, beside others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// What the racy program prints each time, or its clean twin.
    Same,
    /// What the racy program prints each time; and like it, it does not end well.
    AsLost,
    /// Neither.
    Other(String),
    /// Nobody prints the same each time.
    NotKnown,
}

/// Compares what a repaired program prints with what the racy program and its clean twin print, in two runs of each.
pub(super) fn beside(
    (settings, library): (&Settings, Library),
    repaired: &Program,
    racy: &Program,
    clean: Option<&Program>,
) -> Result<Beside, String> {
    let own = once(settings, library, repaired)?;
    // One that hangs by its error says nothing until it is killed.
    let before = match racy.label.time_limit {
        Some(_) => None,
        None => each_time(settings, library, racy)?,
    };
    if before.as_ref() == Some(&own) {
        return Ok(match own.status {
            Some(0) => Beside::Same,
            _ => Beside::AsLost,
        });
    }
    // What a racy program prints may be wrong each time: its twin decides, if it is the same program with more calls.
    let twin = clean.filter(|clean| has_all_lines(&clean.source, &racy.source));
    let right = twin.map(|twin| each_time(settings, library, twin)).transpose()?;
    Ok(match right.flatten() {
        Some(right) if right == own => Beside::Same,
        Some(right) if each_time(settings, library, repaired)?.is_some() => {
            Beside::Other(format!("{own:?}, and not {right:?}"))
        }
        _ => Beside::NotKnown,
    })
}

/// Whether a source has all lines of another one, comments aside.
fn has_all_lines(source: &str, other: &str) -> bool {
    let [mut lines, others] = [source, other].map(|text| {
        let text = without_comments(text);
        let lines = text.lines().map(|line| line.trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>()
    });
    let take = |line: &String| {
        let at = lines.iter().position(|other| other == line);
        at.map(|at| lines.swap_remove(at)).is_some()
    };
    others.iter().all(take)
}

/// What it prints, if two runs print the same.
fn each_time(settings: &Settings, library: Library, program: &Program) -> Result<Option<Printed>, String> {
    let first = once(settings, library, program)?;
    Ok((once(settings, library, program)? == first).then_some(first))
}

fn once(settings: &Settings, library: Library, program: &Program) -> Result<Printed, String> {
    let binary = run::compile(settings, program, library)?;
    let options = program.label.options.of(library);
    let mut words = library.launcher(&settings.farside, program.label.nprocs, options);
    words.push(binary.display().to_string());
    let output = output(settings, &words)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort_unstable();
    let status = output.status.code();
    if status != Some(0) {
        // What a launcher says of processes that fail has their numbers.
        lines.clear();
    }
    Ok(Printed { status, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_twin_may_have_more_lines() {
        let racy = "/* racy */\nput();\nput();\nload();\n";
        assert!(has_all_lines(
            "put();\nflush();\n  put(); // two\nload();\n",
            racy
        ));
        assert!(!has_all_lines("put();\nflush();\nload();\n", racy));
    }
}
