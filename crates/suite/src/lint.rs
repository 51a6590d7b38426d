//! Checks the labels themselves, without MPI: names agree with labels, lines with calls, racy programs with clean
//! twins.

use crate::label::{Access, RaceKind};
use crate::program::{Invalid, Program};
use std::collections::HashSet;

/// Everything that is wrong with the labels, a line each.
pub(crate) fn lint(programs: &[Program], invalid: &[Invalid]) -> Vec<String> {
    let mut errors: Vec<String> = invalid
        .iter()
        .map(|file| format!("{}: {}", file.path.display(), file.reason))
        .collect();
    let clean: HashSet<(&str, &str)> = programs
        .iter()
        .filter_map(|program| match program.twin() {
            Some((stem, false)) => Some((program.topic.as_str(), stem)),
            _ => None,
        })
        .collect();
    for program in programs {
        let mut reasons = label_errors(program);
        if let Some((stem, true)) = program.twin()
            && !clean.contains(&(program.topic.as_str(), stem))
        {
            reasons.push(format!("has no clean twin {stem}-no"));
        }
        errors.extend(
            reasons
                .into_iter()
                .map(|reason| format!("{}: {reason}", program.path.display())),
        );
    }
    errors
}

fn label_errors(program: &Program) -> Vec<String> {
    let label = &program.label;
    let mut reasons = Vec::new();
    match (program.twin(), label.race_kind) {
        (None, _) => reasons.push("name ends neither in -yes nor in -no".to_owned()),
        (Some((_, true)), RaceKind::None) => reasons.push("is named -yes, but RACE_KIND is none".to_owned()),
        (Some((_, false)), kind) if kind != RaceKind::None => {
            reasons.push("is named -no, but RACE_KIND is not none".to_owned());
        }
        _ => {}
    }
    let pair = label.race_pair.len();
    let expected = match label.race_kind {
        RaceKind::None => 0..=0,
        RaceKind::Local | RaceKind::Remote => 2..=2,
        RaceKind::Misuse => 1..=2,
    };
    if !expected.contains(&pair) {
        reasons.push(format!("RACE_PAIR has {pair} entries"));
    }
    if !(1..=8).contains(&label.nprocs) {
        reasons.push(format!("NPROCS is {}", label.nprocs));
    }
    if label.description.trim().is_empty() {
        reasons.push("DESCRIPTION is empty".to_owned());
    }
    if label.further_pairs.iter().any(|pair| pair.len() != 2) {
        reasons.push("FURTHER_PAIRS has an entry that is no pair".to_owned());
    }
    reasons.extend(
        label
            .race_pair
            .iter()
            .chain(label.further_pairs.iter().flatten())
            .filter_map(|access| place_error(program, access)),
    );
    reasons
}

/// Why the place cannot be right; a name may also stand in a comment of that line (a call through a pointer or a
/// macro).
fn place_error(program: &Program, access: &Access) -> Option<String> {
    let index = usize::try_from(access.line).ok()?.checked_sub(1);
    let Some(line) = index.and_then(|index| program.source.lines().nth(index)) else {
        return Some(format!("{access}: there is no such line"));
    };
    let code = line.split("//").next().unwrap_or(line).trim();
    let named = match access.operation.as_str() {
        "LOAD" => !code.is_empty() && !code.starts_with(['*', '!']),
        "STORE" => ["=", "++", "--", "(", "read"]
            .iter()
            .any(|sign| code.contains(sign)),
        // A report leaves the type out of the names of OpenSHMEM, which is in the middle of them.
        "shmem_put" => ["put", "_p("].iter().any(|word| code.contains(word)),
        "shmem_get" => ["get", "_g("].iter().any(|word| code.contains(word)),
        "shmem_put_nbi" | "shmem_get_nbi" => code.contains(&access.operation["shmem".len()..]),
        // Each piece of a list has the name of the call for one.
        "gaspi_write_notify" | "gaspi_read_notify" | "gaspi_write" | "gaspi_read" => {
            let (one, list) = (
                &*access.operation,
                access.operation.replacen("_notify", "_list_notify", 1),
            );
            let list = if list == one { format!("{one}_list") } else { list };
            [one, &*list]
                .iter()
                .any(|name| code.contains(&format!("{name}(")))
        }
        name if name.starts_with("shmem_atomic") => code.contains("_atomic_"),
        name => {
            // mpi4py has methods.
            let method = name.replacen("MPI_", ".", 1).to_lowercase();
            let line = line.to_lowercase();
            line.contains(&name.to_lowercase()) || line.contains(&format!("{method}("))
        }
    };
    (!named).then(|| format!("{access}: the line does not show it: `{}`", line.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label;
    use crate::language::Language;

    fn program(name: &str, kind: &str, pair: &str, code: &str) -> Program {
        let source = format!(
            "/* {{\"RACE_KIND\": \"{kind}\", \"RACE_PAIR\": [{pair}], \"NPROCS\": 2, \"DESCRIPTION\": \"d\"}} \
             */\n{code}\n"
        );
        Program {
            path: name.into(),
            topic: "t".into(),
            name: name.into(),
            language: Language::C,
            label: label::parse(&source).unwrap(),
            source,
        }
    }

    #[test]
    fn good_twins_pass() {
        let yes = program(
            "a-yes",
            "local",
            "\"MPI_Put@2\", \"STORE@3\"",
            "MPI_Put(&x);\nx = 1;",
        );
        let no = program("a-no", "none", "", "x = 1;");
        assert_eq!(lint(&[yes, no], &[]), Vec::<String>::new());
    }

    #[test]
    fn each_mistake_is_named() {
        for (name, kind, pair, code, word) in [
            (
                "a-yes",
                "local",
                "\"MPI_Put@2\", \"STORE@3\"",
                "MPI_Put(&x);\nx = 1;",
                "twin",
            ),
            (
                "a-no",
                "local",
                "\"MPI_Put@2\", \"STORE@3\"",
                "MPI_Put(&x);\nx = 1;",
                "-no",
            ),
            ("a-no", "none", "\"STORE@2\"", "x = 1;", "entries"),
            (
                "a-yes",
                "remote",
                "\"MPI_Put@3\", \"STORE@2\"",
                "x = 1;\nMPI_Get(&x);",
                "MPI_Put@3",
            ),
            (
                "a-yes",
                "remote",
                "\"MPI_Put@2\", \"STORE@9\"",
                "MPI_Put(&x);",
                "STORE@9",
            ),
        ] {
            let errors = lint(&[program(name, kind, pair, code)], &[]);
            assert!(
                errors.iter().any(|error| error.contains(word)),
                "{word}: {errors:?}"
            );
        }
    }
}
