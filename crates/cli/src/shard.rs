//! `--shard I/N` of forge, litmus, robust and conform: a part of the pieces is done, and its results go to a file, of
//! which `farside merge` makes what one run would have written.
//!
//! The exit status of a shard says whether its file is whole; what the results mean is for all shards together.

use crate::fault::Fault;
use crate::output::Destination;
use farside_shards::{Inputs, Run, Shard, Writer};
use serde::Serialize;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// The shard that is to be done, and the file for its results.
pub(crate) struct Cut {
    shard: Shard,
    file: PathBuf,
}

impl Cut {
    /// Takes both from the arguments; none without `--shard`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn of(shard: &mut Option<Shard>, output: &mut Option<PathBuf>) -> Result<Option<Self>, Fault> {
        // `--output` is required with `--shard`.
        let Some(shard) = shard.take() else {
            return Ok(None);
        };
        let Some(file) = output.take() else {
            return Err(Fault::NoShards("a shard needs --output"));
        };
        Destination::checked(Some(&file))?;
        Ok(Some(Self { shard, file }))
    }

    /// Those of all pieces that are in the shard, with their numbers.
    pub(crate) fn of_all<'p, T>(&self, all: &'p [T]) -> Vec<(usize, &'p T)> {
        self.shard.of_all(all).collect()
    }

    /// Whether a piece is in the shard.
    pub(crate) fn has(&self, piece: usize) -> bool {
        self.shard.has(piece)
    }

    /// Begins the file. `question`: the arguments, but what has no influence on results.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn begin(&self, question: &impl Debug, inputs: Inputs, pieces: usize) -> Result<Part, Fault> {
        let arguments = std::env::args_os().skip(1).map(|argument| argument.into_string());
        let run = Run {
            build: farside_spool::BUILD.to_owned(),
            arguments: arguments
                .collect::<Result<_, _>>()
                .map_err(|wrong| Fault::NotUnicode(wrong.into()))?,
            question: format!("{question:?}"),
            inputs: inputs.name(),
            pieces,
            shards: self.shard.of(),
        };
        let writer = Writer::create(&self.file, self.shard, run);
        Ok(Part {
            writer: writer.map_err(|error| unwritable(&self.file, error))?,
            file: self.file.clone(),
        })
    }
}

/// The file of a shard, while it is written.
pub(crate) struct Part {
    writer: Writer,
    file: PathBuf,
}

impl Part {
    /// The result of the next piece.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn take(&mut self, piece: usize, result: &impl Serialize) -> Result<(), Fault> {
        self.writer
            .take(piece, result)
            .map_err(|error| unwritable(&self.file, error))
    }

    /// All of them, and no more.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn take_all<'r, R: Serialize + 'r>(
        mut self,
        results: impl IntoIterator<Item = (usize, &'r R)>,
    ) -> Result<(), Fault> {
        for (piece, result) in results {
            self.take(piece, result)?;
        }
        self.finish()
    }

    /// All pieces were taken.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn finish(self) -> Result<(), Fault> {
        self.writer
            .finish()
            .map_err(|error| unwritable(&self.file, error))
    }
}

fn unwritable(file: &Path, error: std::io::Error) -> Fault {
    Fault::Unwritable(file.to_path_buf(), error)
}

/// Takes in the files that a run reads. A shard cannot read its standard input: `no_stdin` says why.
pub(crate) fn add_files(inputs: &mut Inputs, paths: &[PathBuf], no_stdin: &'static str) -> Result<(), Fault> {
    for path in paths {
        if path == Path::new("-") {
            return Err(Fault::NoShards(no_stdin));
        }
        // One that cannot be read is the trouble of the shard that has it.
        let content = std::fs::read(path).unwrap_or_default();
        inputs.add(&path.to_string_lossy(), &content);
    }
    Ok(())
}
