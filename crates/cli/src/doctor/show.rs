//! The diagnosis as text and as JSON.

use super::{Diagnosis, Need, Piece};
use std::fmt::Write;

/// For people: what is there, then what is missing.
pub(super) fn text(diagnosis: &Diagnosis) -> String {
    let mut text = format!("{}\n\n", diagnosis.tool);
    let (there, missing): (Vec<_>, Vec<_>) =
        diagnosis.pieces.iter().partition(|piece| !piece.found.is_empty());
    // Writing to a string cannot fail.
    for piece in &there {
        let _ = writeln!(text, "found    {}", piece.title);
        for found in &piece.found {
            let version = if found.version.is_empty() {
                String::new()
            } else {
                format!("  ({})", found.version)
            };
            let _ = writeln!(text, "           {}{version}", found.path);
        }
        if let Some(problem) = &piece.problem {
            let _ = writeln!(text, "           problem: {problem}");
        }
    }
    for piece in &missing {
        let _ = writeln!(text, "missing  {}", piece.title);
        let _ = writeln!(text, "           switches off: {}", piece.switches_off);
        let _ = writeln!(text, "           {}", remedy(piece));
    }
    let verdict = if diagnosis.can_check {
        "farside check can work on this machine."
    } else {
        "farside check cannot work on this machine yet: see what is missing above."
    };
    let _ = writeln!(text, "\n{verdict}");
    text
}

/// For programs.
pub(super) fn json(diagnosis: &Diagnosis) -> String {
    let mut text = serde_json::to_string_pretty(diagnosis).expect("plain data with string keys");
    text.push('\n');
    text
}

fn remedy(piece: &Piece) -> String {
    match (piece.package, piece.need) {
        ("", Need::Required | Need::Optional) => match &piece.problem {
            Some(problem) => problem.clone(),
            None => "`farside setup`, or `make build` in the sources; FARSIDE_LIBRARIES names another folder"
                .into(),
        },
        (package, _) => format!("Debian: apt install {package}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Found, diagnose};
    use super::*;

    #[test]
    fn text_names_what_to_install() {
        let piece = |found| Piece {
            name: "mpich",
            title: "MPICH",
            need: Need::OneOf,
            found,
            switches_off: "checking programs under MPICH",
            package: "mpich libmpich-dev",
            problem: None,
        };
        let shown = text(&diagnose(vec![piece(Vec::new())]));
        assert!(shown.contains("missing  MPICH"));
        assert!(shown.contains("apt install mpich libmpich-dev"));
        assert!(shown.contains("cannot work"));
        let found = Found {
            path: "/usr/bin/mpirun".into(),
            version: "4.0.2".into(),
        };
        let shown = text(&diagnose(vec![piece(vec![found])]));
        assert!(shown.contains("/usr/bin/mpirun  (4.0.2)") && shown.contains("can work"));
    }
}
