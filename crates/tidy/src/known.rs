//! What is not in order and known, by file: figures that may only fall.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A line that is not in order.
pub(crate) struct Offence {
    file: String,
    line: usize,
    what: String,
}

impl Offence {
    pub(crate) fn new(file: &str, line: usize, what: String) -> Self {
        let file = file.to_owned();
        Self { file, line, what }
    }

    /// What is not in order.
    #[cfg(test)]
    pub(crate) fn what(&self) -> &str {
        &self.what
    }
}

/// Compares the offences of a check with what is known of it, and says where there are more. With `accept`, figures
/// that fell become what is known; those that rose never do (who moves a file moves its line by hand).
pub(crate) fn compare(root: &Path, check: &str, offences: &[Offence], accept: bool) -> Result<bool, String> {
    let path = root.join("crates/tidy/known").join(format!("{check}.txt"));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for offence in offences {
        *counts.entry(&offence.file).or_default() += 1;
    }
    let known = read(&path)?;
    let mut fine = true;
    for (&file, &count) in &counts {
        let most = known.get(file).copied().unwrap_or(0);
        if count > most {
            fine = false;
            println!("{check}: {file} has {count}, {most} of them known");
            for Offence { file, line, what } in offences.iter().filter(|offence| offence.file == file) {
                println!("  {file}:{line}: {what}");
            }
        }
    }
    let fallen = known
        .iter()
        .filter(|(file, most)| counts.get(file.as_str()).copied().unwrap_or(0) < **most);
    let fallen = fallen.count();
    if accept {
        write(&path, check, &lower(&known, &counts))?;
    } else if fallen > 0 {
        println!("{check}: fewer than known in {fallen} files; `farside-tidy {check} --accept` keeps it so");
    }
    println!(
        "{check}: {} in {} files, {}",
        offences.len(),
        counts.len(),
        if fine { "all known" } else { "too many" }
    );
    Ok(fine)
}

/// Of each file the lower figure; nothing of files with none.
fn lower<'a>(known: &BTreeMap<String, usize>, counts: &BTreeMap<&'a str, usize>) -> BTreeMap<&'a str, usize> {
    let lower = |(&file, &count): (&&'a str, &usize)| Some((file, count.min(*known.get(file)?)));
    counts.iter().filter_map(lower).collect()
}

fn read(path: &PathBuf) -> Result<BTreeMap<String, usize>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    let parse = |line: &str| {
        let (count, file) = line.split_once(' ')?;
        Some((file.to_owned(), count.parse().ok()?))
    };
    lines
        .map(|line| parse(line).ok_or_else(|| format!("{}: not a number and a file: {line}", path.display())))
        .collect()
}

fn write(path: &PathBuf, check: &str, counts: &BTreeMap<&str, usize>) -> Result<(), String> {
    let mut text =
        format!("# Offences by file: these may only fall. Written by `farside-tidy {check} --accept`.\n");
    for (file, count) in counts {
        text += &format!("{count} {file}\n");
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_only_fall() {
        let known = [("fell", 3), ("rose", 1), ("gone", 2)].map(|(file, count)| (file.to_owned(), count));
        let counts = BTreeMap::from([("fell", 2), ("rose", 4), ("new", 1)]);
        let lower = lower(&BTreeMap::from(known), &counts);
        assert_eq!(lower, BTreeMap::from([("fell", 2), ("rose", 1)]));
    }
}
