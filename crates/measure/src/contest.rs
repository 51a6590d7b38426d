//! Runs between processes: the crate `farside` and MPIs take turns, and their rows become one report.
//!
//! A contestant is a command. That of `farside` is `farside bench ... --on world` under `farside run`, and prints a
//! report; that of an MPI is `c/fences.c` under its mpirun. Both run the same programs, and check what was put.
//!
//! Promise: every run has a time limit, and ends with all of its processes. In each round every contestant has its
//! turn, so that a slow minute of the machine hits all of them. A run that fails is listed, with what it said last.

use crate::mpi::{Library, Missing, Wire};
use crate::plan::by_ranks;
use crate::{Study, job, machine};
use farside_measurements::{Report, Row};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The program that measures an MPI.
const SOURCE: &str = include_str!("../c/fences.c");

/// Who takes part.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// For people.
    name: String,
    ranks: u32,
    words: Vec<String>,
    environment: Vec<(&'static str, &'static str)>,
    /// What it prints are the lines of `c/fences.c`, of this library; `None`: a report.
    library: Option<Library>,
}

impl Contestant {
    /// The crate `farside`: a command that runs a job of so many ranks, of which rank 0 prints a report as JSON.
    #[must_use]
    pub fn farside(ranks: u32, words: Vec<String>) -> Self {
        Self {
            name: "farside".to_owned(),
            ranks,
            words,
            environment: Vec::new(),
            library: None,
        }
    }
}

/// The program of `c/fences.c`, compiled for an MPI.
#[derive(Clone, Debug)]
pub struct Peer {
    library: Library,
    program: PathBuf,
}

impl Peer {
    /// Compiles it into a folder.
    ///
    /// # Errors
    /// The library is not there, or the folder cannot be written.
    pub fn compile(library: Library, folder: &Path) -> Result<Self, Missing> {
        let source = folder.join("fences.c");
        std::fs::write(&source, SOURCE).map_err(|error| Missing::Refused {
            compiler: "the source of the benchmark",
            message: format!("{}: {error}", source.display()),
        })?;
        let program = folder.join(format!("fences-{library:?}").to_lowercase());
        library.compile(&source, &program)?;
        Ok(Self { library, program })
    }

    /// It, with so many ranks.
    #[must_use]
    pub fn contestant(&self, wire: Wire, ranks: u32, samples: u32, studies: &[Study]) -> Contestant {
        let launch = self.library.launch(wire, ranks);
        let mut words = launch.words;
        words.extend([
            self.program.display().to_string(),
            samples.to_string(),
            launch.windows.to_owned(),
        ]);
        words.extend(studies.iter().map(|study| study.name().to_owned()));
        Contestant {
            name: self.library.name().to_owned(),
            ranks,
            words,
            environment: launch.environment,
            library: Some(self.library),
        }
    }
}

/// Lets all take turns. `progress` is told who is next.
#[must_use]
pub fn run(
    place: &str,
    contestants: &[Contestant],
    rounds: u32,
    limit: Duration,
    progress: impl Fn(&str),
) -> Report {
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: std::env::args().collect(),
        place: place.to_owned(),
        machine: machine::facts(),
        ..Report::default()
    };
    for round in 1..=rounds {
        for contestant in contestants {
            let Contestant { name, ranks, .. } = contestant;
            progress(&format!("round {round} of {rounds}: {name}, {ranks} ranks"));
            match contestant.run(limit) {
                Ok(one) => {
                    for row in one.rows {
                        report.add(row);
                    }
                    report.left_out.extend(one.left_out);
                    report.choices.extend(one.choices);
                }
                Err(reason) => report
                    .left_out
                    .push(format!("{name}, {ranks} ranks, round {round}: {reason}")),
            }
        }
    }
    report.left_out.sort();
    report.left_out.dedup();
    report
}

impl Contestant {
    fn run(&self, limit: Duration) -> Result<Report, String> {
        let ended = job::run(&self.words, &self.environment, limit)?;
        let read = match self.library {
            None => serde_json::from_str(&ended.output).ok(),
            Some(library) => lines(&ended.output, library, self.ranks),
        };
        let how = match ended.status {
            Some(0) => "ended well, but printed no whole result".to_owned(),
            Some(status) => format!("ended with status {status}"),
            None => format!("did not end within {} s", limit.as_secs()),
        };
        let last = ended.errors.trim().lines().last().unwrap_or("").trim();
        read.filter(|_| ended.status == Some(0))
            .ok_or_else(|| format!("{how} {last}").trim_end().to_owned())
    }
}

/// The rows of `c/fences.c`; `None` if it did not verify what was put.
fn lines(output: &str, library: Library, ranks: u32) -> Option<Report> {
    let mut report = Report::default();
    let mut verified = false;
    for line in output.lines() {
        if line == "verified" {
            verified = true;
            continue;
        }
        let mut fields = line.split('|');
        let (study, series, x) = (fields.next()?, fields.next()?, fields.next()?);
        let samples = fields.next()?.split_whitespace().map(str::parse);
        let samples: Vec<f64> = samples.collect::<Result<_, _>>().ok()?;
        let name = library.name();
        let series = if series.is_empty() {
            name.to_owned()
        } else {
            format!("{series}, {name}")
        };
        // Over lengths; the others are over ranks.
        let study = match study {
            "put" => by_ranks(study, ranks),
            _ if study.contains("overlap") => by_ranks(study, ranks),
            _ => study.to_owned(),
        };
        report
            .rows
            .push(Row::new(&study, &series, ranks, x.parse().ok()?, samples));
    }
    verified.then_some(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_only_if_they_were_verified() {
        let text = "fence, no put||2| 1.5 2.5 3.5\nput|put and flush|8| 1\n";
        assert_eq!(lines(text, Library::Mpich, 2), None);
        let report = lines(&format!("{text}verified\n"), Library::Mpich, 2).expect("verified");
        let row = report.row("fence, no put", "MPICH", 2).expect("a row");
        assert_eq!((row.median, row.ranks), (2.5, 2));
        assert!(report.row("put, 2 ranks", "put and flush, MPICH", 8).is_some());
        assert_eq!(lines("fence||x| 1\nverified\n", Library::Mpich, 2), None);
    }

    #[test]
    fn rounds_are_joined_and_failures_are_listed() {
        let shell = |script: &str| Contestant {
            name: "shell".to_owned(),
            ranks: 2,
            words: ["sh", "-c", script].map(str::to_owned).to_vec(),
            environment: Vec::new(),
            library: Some(Library::OpenMpi),
        };
        let all = [
            shell("printf 'a||2| 1 3\\nverified\\n'"),
            shell("echo no >&2; exit 4"),
        ];
        let report = run("here", &all, 2, Duration::from_secs(20), |_| ());
        let row = report.row("a", "Open MPI", 2).expect("a row");
        assert_eq!(row.samples, [1.0, 3.0, 1.0, 3.0]);
        assert_eq!(
            report.left_out,
            [
                "shell, 2 ranks, round 1: ended with status 4 no",
                "shell, 2 ranks, round 2: ended with status 4 no"
            ]
        );
    }
}
