//! Asks `farside lint --superfluous` of each clean twin which synchronisation it does not need.
//!
//! - What the racy twin lacks is needed: where it is the clean twin without some lines, what can go must not be these;
//!   nor must a call be enough as the racy twin has it.
//! - What can go is taken out of the source, all of it together, where each call has a line to itself: `farside lint`
//!   must find nothing then.
//!
//! What is called unneeded is listed, to be judged by people.

use crate::Arguments;
use crate::analyse;
use crate::language::Language;
use crate::library::Library;
use crate::program::Program;
use crate::run::Settings;
use farside_findings::{Lessening, Report, Superfluous, Unneeded};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// What came of all programs.
#[derive(Debug, Default)]
struct Score {
    asked: usize,
    /// Programs without an answer, by the reason.
    silent: BTreeMap<String, usize>,
    /// Places that were tried.
    tried: u64,
    /// Of programs with an answer, lines with a call that only the clean twin has, and those of them that are kept.
    needed: usize,
    /// Calls that are said not to be needed as they are.
    unneeded: usize,
    wrong: Vec<String>,
    /// Programs that were linted without what can go, and those that were racy then.
    applied: usize,
    broken: Vec<String>,
}

/// Asks all clean twins, prints what is unneeded, and says whether nothing is that is needed.
pub(crate) fn score(
    arguments: &Arguments,
    settings: &Settings,
    programs: &[Program],
) -> Result<bool, String> {
    let library = arguments
        .library
        .implementations()
        .next()
        .unwrap_or(Library::OpenMpi);
    let mut score = Score::default();
    for clean in programs {
        let Some((stem, false)) = clean.twin() else {
            continue;
        };
        let racy = programs
            .iter()
            .find(|other| other.topic == clean.topic && other.twin() == Some((stem, true)));
        let Some(racy) = racy else { continue };
        if clean.label.not_in_lint().is_some() || racy.label.not_in_lint().is_some() {
            continue;
        }
        let options = ["--superfluous".to_owned()];
        let output = analyse::command(settings, clean, library, &options).output();
        let output = output.map_err(|error| error.to_string())?;
        score.asked += 1;
        match serde_json::from_slice::<Report>(&output.stdout) {
            Ok(Report {
                superfluous: Some(found),
                ..
            }) => {
                let lines = score.take(clean, racy, &found);
                score.apply(settings, library, clean, &lines)?;
            }
            _ => score.say_nothing("broken", clean),
        }
    }
    print!("{score}");
    Ok(score.wrong.is_empty() && score.broken.is_empty() && score.asked > 0)
}

impl Score {
    fn say_nothing(&mut self, why: &str, program: &Program) {
        *self.silent.entry(why.to_owned()).or_default() += 1;
        println!("no answer: {}/{}: {why}", program.topic, program.name);
    }

    /// Counts what was found; gives the lines of what can go.
    fn take(&mut self, clean: &Program, racy: &Program, found: &Superfluous) -> BTreeSet<u32> {
        let mut gone = BTreeSet::new();
        if let Some(reason) = found.refused {
            self.say_nothing(&format!("{reason:?}"), clean);
            return gone;
        }
        let only = only_in_first(&clean.source, &racy.source);
        let lines: Vec<&str> = clean.source.lines().collect();
        let text = |line: u32| lines.get(line as usize - 1).map_or("", |text| text.trim());
        let synchronises = |line: &&u32| has_call(text(**line));
        let lacking: BTreeSet<u32> = only.iter().filter(synchronises).copied().collect();
        let others: Vec<&str> = racy.source.lines().collect();
        let own: Vec<&str> = only_in_first(&racy.source, &clean.source)
            .intersection(&code(&racy.source))
            .map(|line| others[*line as usize - 1])
            .collect();
        self.tried += found.tried;
        if own.is_empty() {
            self.needed += lacking.len();
        }
        let together = found.calls.iter().map(|call| (call, true));
        for (call, together) in together.chain(found.instead.iter().map(|call| (call, false))) {
            self.unneeded += 1;
            let inside = |place: &&farside_findings::Place| place.line as usize <= lines.len();
            let at: BTreeSet<u32> = call.places().filter(inside).map(|place| place.line).collect();
            let row = row(clean, call, together, &at, text);
            println!("{row}");
            let is_that = !lacking.is_empty() && lacking.is_subset(&at) && at.is_subset(&only);
            let wrong = match &call.change {
                Lessening::Remove if !call.everywhere => false,
                Lessening::Remove => {
                    if together {
                        gone.extend(&at);
                    }
                    is_that && own.is_empty()
                }
                Lessening::Weaken(weaker) => is_that && own.iter().any(|text| names(text, weaker)),
            };
            if wrong {
                self.wrong.push(row);
            }
        }
        let all = !lacking.is_empty() && lacking.is_subset(&gone) && own.is_empty();
        let part = lacking.iter().any(|line| {
            let of = found
                .calls
                .iter()
                .filter(|call| call.places().any(|place| place.line == *line));
            of.flat_map(Unneeded::places)
                .any(|place| !only.contains(&place.line))
        });
        if all && !part {
            self.wrong
                .push(format!("{}/{}: all of {lacking:?}", clean.topic, clean.name));
        }
        gone
    }

    /// Lints the program without these lines.
    fn apply(
        &mut self,
        settings: &Settings,
        library: Library,
        program: &Program,
        lines: &BTreeSet<u32>,
    ) -> Result<(), String> {
        let Some(source) = without(program, lines) else {
            return Ok(());
        };
        let folder = settings.work.join("superfluous").join(&program.topic);
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(failed)?;
        let path = folder.join(program.path.file_name().unwrap_or_default());
        fs::write(&path, source).map_err(failed)?;
        let copy = Program {
            path,
            ..program.clone()
        };
        let output = analyse::command(settings, &copy, library, &[])
            .output()
            .map_err(failed)?;
        self.applied += 1;
        let what = match serde_json::from_slice::<Report>(&output.stdout) {
            Ok(report) => match report.findings.first() {
                None => return Ok(()),
                Some(finding) => finding.message.clone(),
            },
            Err(_) => String::from_utf8_lossy(&output.stderr).lines().take(3).collect(),
        };
        self.broken
            .push(format!("{}/{}: {what}", program.topic, program.name));
        Ok(())
    }
}

/// The source of a program without these lines; `None` if there are none, or one of them is not a call alone.
fn without(program: &Program, lines: &BTreeSet<u32>) -> Option<String> {
    let fortran = program.language == Language::Fortran;
    let alone = |text: &str| {
        let text = text.trim();
        let balanced = text.matches('(').count() == text.matches(')').count();
        let begins = text.to_ascii_lowercase();
        let is_call = ["mpi_", "shmem_", "gaspi_", "call mpi_"]
            .iter()
            .any(|name| begins.starts_with(name));
        is_call && balanced && (fortran || text.ends_with(");") && text.matches(';').count() == 1)
    };
    let mut source = String::new();
    for (number, text) in (1..).zip(program.source.lines()) {
        match lines.contains(&number) {
            true if !alone(text) => return None,
            true => source.push_str(if fortran { "" } else { ";" }),
            false => source.push_str(text),
        }
        source.push('\n');
    }
    (!lines.is_empty()).then_some(source)
}

/// Whether a line has the call, or the words, of a change.
fn names(text: &str, weaker: &str) -> bool {
    match weaker.contains("MODE") || weaker.contains("LOCK") {
        true => text.contains(weaker),
        false => text.contains(&format!("{weaker}(")),
    }
}

/// The lines of a source, by number, that have more than comments.
fn code(source: &str) -> BTreeSet<u32> {
    let (mut inside, mut lines) = (false, BTreeSet::new());
    for (number, text) in (1..).zip(source.lines().map(str::trim)) {
        let began = inside || text.starts_with("/*");
        inside = began && !text.contains("*/");
        if !began && !text.is_empty() && !text.starts_with("//") && !text.starts_with('!') {
            lines.insert(number);
        }
    }
    lines
}

fn row<'t>(
    program: &Program,
    call: &Unneeded,
    together: bool,
    at: &BTreeSet<u32>,
    text: impl Fn(u32) -> &'t str,
) -> String {
    let change = match &call.change {
        Lessening::Remove => "can go".to_owned(),
        Lessening::Weaken(weaker) => format!("{weaker} is enough"),
    };
    let only = match (together, call.everywhere) {
        (false, _) => ", if another stays",
        (true, false) => ", on some ways",
        (true, true) => "",
    };
    let lines: Vec<String> = at.iter().map(|line| format!("{line}: {}", text(*line))).collect();
    format!(
        "{}/{} | {} | {change}{only} | {}",
        program.topic,
        program.name,
        call.call,
        lines.join(" / ")
    )
}

/// Whether a line may call something that synchronises.
fn has_call(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let calls = [
        "flush",
        "fence",
        "barrier",
        "lock",
        "_start",
        "_post",
        "complete",
        "win_wait",
        "quiet",
        "shmem_sync",
        "gaspi_wait",
    ];
    text.contains('(') && calls.iter().any(|call| text.contains(call))
}

/// The lines, from 1, of the first text that the second does not have, by the longest common part.
fn only_in_first(first: &str, second: &str) -> BTreeSet<u32> {
    let (first, second): (Vec<&str>, Vec<&str>) = (first.lines().collect(), second.lines().collect());
    let width = second.len() + 1;
    let mut common = vec![0_u32; (first.len() + 1) * width];
    for i in (0..first.len()).rev() {
        for j in (0..second.len()).rev() {
            common[i * width + j] = match first[i] == second[j] {
                true => common[(i + 1) * width + j + 1] + 1,
                false => common[(i + 1) * width + j].max(common[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j, mut only) = (0, 0, BTreeSet::new());
    while i < first.len() {
        if j < second.len() && first[i] == second[j] {
            (i, j) = (i + 1, j + 1);
        } else if j < second.len() && common[i * width + j + 1] >= common[(i + 1) * width + j] {
            j += 1;
        } else {
            only.insert(i as u32 + 1);
            i += 1;
        }
    }
    only
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{:>5} clean twins asked", self.asked)?;
        for (reason, programs) in &self.silent {
            writeln!(f, "{programs:>5} without an answer: {reason}")?;
        }
        writeln!(f, "{:>5} places of synchronising calls tried", self.tried)?;
        writeln!(f, "{:>5} said not to be needed as they are", self.unneeded)?;
        writeln!(
            f,
            "{:>5} synchronising lines without which a clean twin is the racy one; {} times these are said not to be needed",
            self.needed,
            self.wrong.len()
        )?;
        writeln!(
            f,
            "{:>5} programs linted without what can go, {} of them racy then",
            self.applied,
            self.broken.len()
        )?;
        self.broken
            .iter()
            .try_for_each(|row| writeln!(f, "racy without: {row}"))?;
        self.wrong.iter().try_for_each(|row| writeln!(f, "wrong: {row}"))
    }
}

#[cfg(test)]
mod tests {
    use super::only_in_first;

    #[test]
    fn lines_of_the_clean_twin_alone() {
        let clean = "a\nb\nbarrier\nc\n";
        let only = |racy| only_in_first(clean, racy).into_iter().collect::<Vec<_>>();
        assert_eq!(only("a\nb\nc\n"), [3]);
        assert_eq!(only("a\nbarrier\nb\nc\n"), [3]);
        assert!(only(clean).is_empty());
    }
}
