//! A run is a folder: raw data, table, command line, machine and versions together.

use crate::Common;
use farside_measure::machine::{self, Fact};
use serde::Serialize;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of a run.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    command: Vec<String>,
    facts: Vec<Fact>,
}

/// A raw data file.
#[derive(Serialize)]
struct Raw<'a, T> {
    command: &'a [String],
    machine: &'a [Fact],
    results: &'a T,
}

impl Folder {
    /// Makes the folder that was asked for, or `bench/results/DATE-HOST`, and reads the facts of the machine. Quick
    /// runs measure nothing, and go to `target/bench-quick`.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub(crate) fn create(common: &Common) -> Result<Self, String> {
        let path = match &common.output {
            Some(path) => path.clone(),
            None if common.quick => PathBuf::from("target/bench-quick"),
            None => Path::new("bench/results").join(machine::date_and_host()),
        };
        fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self {
            path,
            command: std::env::args().collect(),
            facts: machine::facts(),
        })
    }

    /// Writes `results` to `NAME.json`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn raw(&self, name: &str, results: &impl Serialize) -> Result<(), String> {
        let raw = Raw {
            command: &self.command,
            machine: &self.facts,
            results,
        };
        let text = serde_json::to_string_pretty(&raw).map_err(|error| error.to_string())?;
        self.write(&format!("{name}.json"), &(text + "\n"))
    }

    /// Writes a table to `NAME.md`, under its title, the command line and the machine; and prints the table.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn table(&self, name: &str, title: &str, table: &str) -> Result<(), String> {
        print!("{table}");
        let mut text = format!("# {title}\n\nCommand: `{}`\n\n", self.command.join(" "));
        for fact in &self.facts {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "- {}: {}", fact.name, fact.value);
        }
        self.write(&format!("{name}.md"), &format!("{text}\n{table}"))?;
        println!("written: {}", self.path.join(format!("{name}.md")).display());
        Ok(())
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.path.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    }
}
