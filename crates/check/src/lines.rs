//! Lines of sources that lie on other hosts.

use farside_collect::{Front, Node};
use farside_events::Rank;
use farside_findings::{Place, Report};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// Lines around a place that reports show.
const AROUND: u32 = 3;
/// Longer files are no source code.
const MOST: u64 = 4 << 20;

/// Lines by file and number.
#[derive(Debug, Default)]
pub(crate) struct Lines(HashMap<(String, u32), String>);

/// What is known of where things are.
pub(crate) struct Elsewhere<'a> {
    front: &'a Front,
    /// The hosts of ranks that did not run here.
    hosts: BTreeMap<Rank, String>,
    /// Modules whose builds are not here, by host.
    brought: &'a BTreeSet<(String, Box<str>)>,
}

impl<'a> Elsewhere<'a> {
    pub(crate) fn new(
        front: &'a Front,
        hosts: BTreeMap<Rank, String>,
        brought: &'a BTreeSet<(String, Box<str>)>,
    ) -> Self {
        Self {
            front,
            hosts,
            brought,
        }
    }
}

impl Lines {
    /// Reads those that a report may show of parties on other hosts, where their files are not here, or their programs
    /// are not. A file that is another one here is named with its host from now on: `h2:/tmp/halo.c`. Nothing is read
    /// after `late` says that there is no time.
    pub(crate) fn bring(report: &mut Report, of: &Elsewhere<'_>, late: &dyn Fn() -> bool) -> Self {
        let mut lines = Self::default();
        let mut files: HashMap<(String, String), Option<Vec<String>>> = HashMap::new();
        for party in report
            .findings
            .iter_mut()
            .flat_map(|finding| &mut finding.parties)
        {
            let Some((host, place)) = of.hosts.get(&Rank(party.rank)).zip(party.place().cloned()) else {
                continue;
            };
            let module = party.stack.iter().find_map(|frame| frame.module.as_deref());
            let brought = module.is_some_and(|module| of.brought.contains(&(host.clone(), module.into())));
            if !brought && Path::new(&place.file).exists() {
                continue;
            }
            let file = files
                .entry((host.clone(), place.file.clone()))
                .or_insert_with(|| {
                    let nodes = of.front.nodes(host).into_iter().filter(|_| !late());
                    nodes
                        .into_iter()
                        .find_map(|node| read(of.front, node, &place.file))
                });
            let Some(there) = file else { continue };
            if let Some(name) = lines.add(host, &place, there) {
                let same = |found: &&mut Place| found.file == place.file;
                let places = party.stack.iter_mut().filter_map(|frame| frame.place.as_mut());
                places.filter(same).for_each(|found| found.file.clone_from(&name));
            }
        }
        lines
    }

    /// Those around a place; what the file is called if it is another one here.
    fn add(&mut self, host: &str, place: &Place, there: &[String]) -> Option<String> {
        let here = std::fs::read_to_string(&place.file).ok();
        let same = here
            .as_ref()
            .map(|here| here.lines().eq(there.iter().map(String::as_str)));
        let name = match same {
            Some(true) => return None,
            Some(false) => format!("{host}:{}", place.file),
            None => place.file.clone(),
        };
        let around = place.line.saturating_sub(AROUND).max(1)..=place.line.saturating_add(AROUND);
        for number in around {
            if let Some(text) = there.get(number as usize - 1) {
                self.0.insert((name.clone(), number), text.clone());
            }
        }
        same.map(|_| name)
    }

    /// The line at a place, if `here` is what the file of this host has there.
    pub(crate) fn line(&self, place: &Place, here: Option<String>) -> Option<String> {
        let brought = self.0.get(&(place.file.clone(), place.line));
        brought.cloned().or(here)
    }
}

/// The lines of a file of another host, whose name may start from the folder in which farside was started.
fn read(front: &Front, node: Node, file: &str) -> Option<Vec<String>> {
    let path = std::path::absolute(file).ok()?;
    let mut text = Vec::new();
    let size = front.read(node, path.to_str()?, &[(0, MOST)], &mut |offset, bytes| {
        let begin = usize::try_from(offset).map_err(std::io::Error::other)?;
        text.resize(text.len().max(begin + bytes.len()), 0);
        text[begin..begin + bytes.len()].copy_from_slice(bytes);
        Ok(())
    });
    size.ok().filter(|&size| size <= MOST)?;
    Some(
        String::from_utf8_lossy(&text)
            .lines()
            .map(str::to_owned)
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_differs_here_and_there_is_named_with_its_host() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.c");
        std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
        let place = |file: &str, line| Place {
            file: file.into(),
            line,
            column: None,
        };
        let file = path.to_str().unwrap();
        let there = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let mut lines = Lines::default();
        let other = lines
            .add("h2", &place(file, 2), &there(&["one", "deux", "three", "four"]))
            .unwrap();
        assert_eq!(other, format!("h2:{file}"));
        assert_eq!(
            lines.add("h2", &place(file, 2), &there(&["one", "two", "three"])),
            None
        );
        assert_eq!(
            lines.add("h2", &place("/gone.c", 1), &there(&["uno", "due"])),
            None
        );
        let shown =
            |file: &str, line, here: Option<&str>| lines.line(&place(file, line), here.map(str::to_owned));
        assert_eq!(shown(file, 2, Some("two")).as_deref(), Some("two"));
        assert_eq!(shown(&other, 2, None).as_deref(), Some("deux"));
        assert_eq!(shown(&other, 4, None).as_deref(), Some("four"));
        assert_eq!(shown("/gone.c", 2, None).as_deref(), Some("due"));
        assert_eq!(shown("/gone.c", 3, None), None);
    }
}
