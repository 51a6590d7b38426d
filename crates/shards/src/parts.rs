//! The files of all shards of a run, read in the order of the pieces.

use crate::line::{End, Head, Piece};
use crate::writer::hexadecimal;
use crate::{Refusal, Run, Shard};
use md5::{Digest, Md5};
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes of a file that are read at a time.
const BUFFER: usize = 1 << 16;

/// The files of all shards of one run.
#[derive(Debug)]
pub struct Parts {
    run: Run,
    /// By number of the shard.
    parts: Vec<Part>,
    /// The piece that comes next.
    next: usize,
}

#[derive(Debug)]
struct Part {
    path: PathBuf,
    lines: BufReader<File>,
}

/// A file of which the first line was read.
struct Opened {
    part: Part,
    head: Head,
    /// Bytes of the first line.
    first: u64,
    /// Of what was read.
    digest: Md5,
}

impl Parts {
    /// Opens the files, in any order.
    ///
    /// # Errors
    /// They are not all the shards of one run, each once and whole.
    pub fn open(paths: &[PathBuf]) -> Result<Self, Refusal> {
        let mut opened = paths
            .iter()
            .map(|path| Part::open(path))
            .collect::<Result<Vec<_>, _>>()?;
        // A command line wants one file at least; without any, no shard is there.
        let Some(first) = opened.first() else {
            return Err(Refusal::Incomplete {
                of: 0,
                what: Vec::new(),
            });
        };
        for other in &opened[1..] {
            if let Some(why) = difference(first.head.run(), other.head.run()) {
                return Err(Refusal::OtherRun {
                    first: first.part.path.clone(),
                    other: other.part.path.clone(),
                    why,
                });
            }
        }
        let run = first.head.run().clone();
        opened.sort_by_key(|opened| opened.head.shard());
        for pair in opened.windows(2) {
            if pair[0].head.shard() == pair[1].head.shard() {
                return Err(Refusal::Twice {
                    shard: pair[0].head.shard(),
                    first: pair[0].part.path.clone(),
                    other: pair[1].part.path.clone(),
                });
            }
        }
        let mut what = missing(&run, &opened);
        let mut parts = Vec::new();
        for mut one in opened {
            what.extend(one.incomplete()?);
            parts.push(one.again()?);
        }
        match what.is_empty() {
            true => Ok(Self { run, parts, next: 0 }),
            false => Err(Refusal::Incomplete { of: run.shards, what }),
        }
    }

    /// What all of them are of.
    #[must_use]
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The result of the next piece; none after the last one.
    ///
    /// # Errors
    /// A file was changed since it was opened, or its results are of another kind.
    pub fn take<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Refusal> {
        if self.next == self.run.pieces {
            return Ok(None);
        }
        let part = &mut self.parts[self.next % self.run.shards as usize];
        let mut line = String::new();
        part.lines
            .read_line(&mut line)
            .map_err(|error| Refusal::Unreadable(part.path.clone(), error))?;
        let wrong = |why: String| Refusal::NotAShard(part.path.clone(), why);
        let piece: Piece<T> = serde_json::from_str(&line).map_err(|error| wrong(error.to_string()))?;
        let (number, result) = piece.into_parts();
        if number != self.next {
            let why = format!("piece {number} stands where {} is to be", self.next);
            return Err(wrong(why));
        }
        self.next += 1;
        Ok(Some(result))
    }

    /// The results of all pieces that are left.
    ///
    /// # Errors
    /// As for [`Parts::take`].
    pub fn rest<T: DeserializeOwned>(&mut self) -> Result<Vec<T>, Refusal> {
        let mut all = Vec::new();
        while let Some(result) = self.take()? {
            all.push(result);
        }
        Ok(all)
    }
}

impl Part {
    fn open(path: &Path) -> Result<Opened, Refusal> {
        let unreadable = |error| Refusal::Unreadable(path.to_path_buf(), error);
        let file = File::open(path).map_err(unreadable)?;
        let mut lines = BufReader::with_capacity(BUFFER, file);
        let mut line = Vec::new();
        lines.read_until(b'\n', &mut line).map_err(unreadable)?;
        let wrong = |why: &str| Refusal::NotAShard(path.to_path_buf(), why.to_owned());
        let head: Head = serde_json::from_slice(&line).map_err(|_| {
            wrong("its first line does not say which; `farside forge|litmus|robust|conform --shard I/N` write such files")
        })?;
        if !head.is_known() {
            return Err(wrong("its form is of another version of farside"));
        }
        if !(1..=head.run().shards).contains(&head.shard()) {
            return Err(wrong("its number is not one of its run's"));
        }
        Ok(Opened {
            part: Self {
                path: path.to_path_buf(),
                lines,
            },
            head,
            first: line.len() as u64,
            digest: Md5::new_with_prefix(&line),
        })
    }
}

impl Opened {
    /// To be read from the second line on.
    fn again(self) -> Result<Part, Refusal> {
        let mut part = self.part;
        match part.lines.seek(SeekFrom::Start(self.first)) {
            Ok(_) => Ok(part),
            Err(error) => Err(Refusal::Unreadable(part.path, error)),
        }
    }

    /// Reads to the end; what is missing, in words.
    fn incomplete(&mut self) -> Result<Option<String>, Refusal> {
        let path = self.part.path.clone();
        let (number, of) = (self.head.shard(), self.head.run().shards);
        let shard: Shard = format!("{number}/{of}")
            .parse()
            .map_err(|why| Refusal::NotAShard(path.clone(), why))?;
        let wanted = shard.size(self.head.run().pieces);
        let mut found = 0;
        let mut line = Vec::new();
        loop {
            line.clear();
            let unreadable = |error| Refusal::Unreadable(path.clone(), error);
            self.part.lines.read_until(b'\n', &mut line).map_err(unreadable)?;
            let whole = line.last() == Some(&b'\n');
            if whole && line.starts_with(Piece::<()>::BEGIN) {
                self.digest.update(&line);
                found += 1;
                continue;
            }
            let end: Option<End> = serde_json::from_slice(&line).ok().filter(|_| whole);
            let Some(end) = end else {
                return Ok(Some(format!(
                    "  {path}: shard {number} ended midway, {found} of its {wanted} pieces are there",
                    path = path.display(),
                )));
            };
            let digest = hexadecimal(&self.digest.clone().finalize());
            if end != End::new(wanted, digest) || found != wanted {
                return Err(Refusal::NotAShard(
                    path,
                    "it was changed after it was written".to_owned(),
                ));
            }
            return Ok(None);
        }
    }
}

/// The shards without a file, in a line.
fn missing(run: &Run, opened: &[Opened]) -> Vec<String> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut there = opened.iter().map(|opened| opened.head.shard()).peekable();
    for number in 1..=run.shards {
        if there.next_if_eq(&number).is_some() {
            continue;
        }
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    if ranges.is_empty() {
        return Vec::new();
    }
    let shown = ranges.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    // As `sbatch --array` takes them.
    vec![format!(
        "  no file of shard {}",
        shown.collect::<Vec<_>>().join(",")
    )]
}

/// What makes two runs different ones, in words.
fn difference(first: &Run, other: &Run) -> Option<String> {
    let line = |run: &Run| format!("farside {}", run.arguments.join(" "));
    if first.build != other.build {
        return Some(format!(
            "they were made by two builds of farside ({} and {})",
            first.build, other.build
        ));
    }
    if first.question != other.question {
        return Some(format!(
            "their options differ\n  {}\n  {}",
            line(first),
            line(other)
        ));
    }
    if first.shards != other.shards {
        return Some(format!(
            "one was cut into {} shards, one into {}",
            first.shards, other.shards
        ));
    }
    if first.pieces != other.pieces {
        return Some(format!("one has {} pieces, one {}", first.pieces, other.pieces));
    }
    (first.inputs != other.inputs)
        .then(|| "what they read differs: a file was changed, added or taken away meanwhile".to_owned())
}
