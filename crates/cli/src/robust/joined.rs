//! The sources of one program as one text, in which places lie.

use farside_processes::plain;
use farside_robust::judgement::Text;
use farside_robustness::OF_FILE;
use std::path::{Path, PathBuf};

/// What stands between two files: the file separator of ASCII, which no source has.
const BETWEEN: &str = "\n\u{1c}\n";

/// Sources, the one with `main` first.
#[derive(Clone)]
pub(super) struct Joined {
    paths: Vec<PathBuf>,
    text: String,
    /// Where each file after the first one begins, and its name.
    further: Vec<(usize, String)>,
}

impl Joined {
    /// These files with these texts.
    pub(super) fn of(files: Vec<(PathBuf, String)>) -> Self {
        let mut joined = Self {
            paths: Vec::new(),
            text: String::new(),
            further: Vec::new(),
        };
        for (path, text) in files {
            if !joined.paths.is_empty() {
                joined.text.push_str(BETWEEN);
                joined.further.push((joined.text.len(), named(&path)));
            }
            joined.text.push_str(&text);
            joined.paths.push(path);
        }
        joined
    }

    /// The same files with another text; none if that is not one of so many files.
    pub(super) fn with(&self, text: &str) -> Option<Self> {
        let texts: Vec<&str> = text.split(BETWEEN).collect();
        let files = self
            .paths
            .iter()
            .cloned()
            .zip(texts.iter().map(|&text| text.to_owned()));
        (texts.len() == self.paths.len()).then(|| Self::of(files.collect()))
    }

    /// All of it.
    pub(super) fn all(&self) -> &str {
        &self.text
    }

    /// It as a text of files.
    pub(super) fn text(&self) -> Text<'_> {
        Text::of_files(&self.text, &self.further)
    }

    /// Each file with its text.
    pub(super) fn files(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.paths
            .iter()
            .map(PathBuf::as_path)
            .zip(self.text.split(BETWEEN))
    }

    /// Where the text of each file begins.
    pub(super) fn starts(&self) -> impl Iterator<Item = usize> {
        std::iter::once(0).chain(self.further.iter().map(|(start, _)| *start))
    }

    /// The name of the first file, fit for a terminal.
    pub(super) fn name(&self) -> String {
        self.paths.first().map(|path| named(path)).unwrap_or_default()
    }

    /// The names of the others.
    pub(super) fn further(&self) -> Vec<String> {
        self.further.iter().map(|(_, name)| name.clone()).collect()
    }

    /// The name of a file by its number.
    pub(super) fn name_of(&self, file: usize) -> String {
        self.paths.get(file).map(|path| named(path)).unwrap_or_default()
    }

    /// The texts of those files that are others in another text of the same files: of one its text, of several with
    /// their names.
    pub(super) fn changed(&self, new: &Self) -> String {
        let changed: Vec<(&Path, &str)> = self
            .files()
            .zip(new.files())
            .filter(|((_, old), (_, new))| old != new)
            .map(|(_, new)| new)
            .collect();
        match changed.as_slice() {
            [(_, text)] => (*text).to_owned(),
            several => {
                let shown = |(path, text): &(&Path, &str)| format!("{OF_FILE}{}\n{text}", named(path));
                several.iter().map(shown).collect()
            }
        }
    }
}

fn named(path: &Path) -> String {
    plain(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_again() {
        let files = [("a.c", "a\n"), ("b.c", "b"), ("c.c", "")];
        let joined = Joined::of(files.map(|(path, text)| (path.into(), text.to_owned())).to_vec());
        let again: Vec<(&Path, &str)> = joined.files().collect();
        assert_eq!(again, files.map(|(path, text)| (Path::new(path), text)));
        assert_eq!(&joined.all()[joined.starts().nth(1).unwrap()..][..1], "b");
        let new = joined.with(&joined.all().replace('b', "bb")).unwrap();
        assert_eq!(joined.changed(&new), "bb");
        let new = new.with(&new.all().replace('a', "aa")).unwrap();
        assert_eq!(joined.changed(&new), "// file: a.c\naa\n// file: b.c\nbb");
        assert!(joined.with("a").is_none());
    }
}
