//! `farside doctor`: what is on this machine, and what each missing piece switches off.
//!
//! Exit status: 0 if `farside check` can work here (its own libraries and one MPI are there), else 1.

mod pieces;
mod probe;
mod show;

use crate::arguments::{DoctorArguments, DoctorFormat};
use crate::output::{complain, print};
use crate::status::Status;
use serde::Serialize;

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Piece {
    /// Stable name: `open-mpi`, `gcc`, ...
    name: &'static str,
    /// What it is, for people.
    title: &'static str,
    /// How much depends on it.
    need: Need,
    /// Where it was found; empty if it is missing.
    found: Vec<Found>,
    /// What works with it only.
    switches_off: &'static str,
    /// Debian package; empty for our own parts.
    package: &'static str,
    /// What is wrong with what was found.
    problem: Option<String>,
}

/// How much depends on a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Need {
    /// Nothing can be checked without it.
    Required,
    /// One of the pieces with this need must be there.
    OneOf,
    /// Some things do not work without it.
    Optional,
}

/// One program or library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Found {
    /// Where.
    path: String,
    /// Version as it says itself; empty if it does not.
    version: String,
}

/// Everything that was looked for.
#[derive(Debug, Serialize)]
struct Diagnosis {
    /// Version of this format.
    schema_version: u32,
    /// This program.
    tool: &'static str,
    /// Whether `farside check` can work here.
    can_check: bool,
    /// The list.
    pieces: Vec<Piece>,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &DoctorArguments) -> Status {
    let diagnosis = diagnose(pieces::all());
    let text = match arguments.format {
        DoctorFormat::Text => show::text(&diagnosis),
        DoctorFormat::Json => show::json(&diagnosis),
    };
    match print(&text) {
        Err(fault) => {
            complain(&fault);
            Status::Usage
        }
        Ok(()) if diagnosis.can_check => Status::Clean,
        Ok(()) => Status::Findings,
    }
}

fn diagnose(pieces: Vec<Piece>) -> Diagnosis {
    let works = |piece: &Piece| !piece.found.is_empty() && piece.problem.is_none();
    let required = pieces.iter().filter(|p| p.need == Need::Required).all(works);
    let one_of = pieces.iter().filter(|p| p.need == Need::OneOf).any(works);
    Diagnosis {
        schema_version: 1,
        tool: concat!("farside ", env!("CARGO_PKG_VERSION")),
        can_check: required && one_of,
        pieces,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(need: Need, there: bool) -> Piece {
        let found = Found {
            path: "/x".into(),
            version: String::new(),
        };
        Piece {
            name: "x",
            title: "x",
            need,
            found: if there { vec![found] } else { Vec::new() },
            switches_off: "",
            package: "",
            problem: None,
        }
    }

    #[test]
    fn what_checking_needs() {
        use Need::{OneOf, Optional, Required};
        let can_check = |pieces: &[(Need, bool)]| {
            diagnose(pieces.iter().map(|&(need, there)| piece(need, there)).collect()).can_check
        };
        assert!(can_check(&[
            (Required, true),
            (OneOf, false),
            (OneOf, true),
            (Optional, false)
        ]));
        assert!(!can_check(&[(Required, false), (OneOf, true)]));
        assert!(!can_check(&[(Required, true), (OneOf, false)]));
    }
}
