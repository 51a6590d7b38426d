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

/// Lines by file and number; none for a line that must not be shown, for it is another one here.
#[derive(Debug, Default)]
pub(crate) struct Lines(HashMap<(String, u32), Option<String>>);

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
    /// are not. Nothing is read here after `late` says that there is no time.
    pub(crate) fn bring(report: &Report, of: &Elsewhere<'_>, late: &dyn Fn() -> bool) -> Self {
        let mut lines = Self::default();
        let mut files: HashMap<(String, String), Option<Vec<String>>> = HashMap::new();
        for party in report.findings.iter().flat_map(|finding| &finding.parties) {
            let Some((host, place)) = of.hosts.get(&Rank(party.rank)).zip(party.place()) else {
                continue;
            };
            let module = party.stack.iter().find_map(|frame| frame.module.as_deref());
            let brought = module.is_some_and(|module| of.brought.contains(&(host.clone(), module.into())));
            if !brought && Path::new(&place.file).exists() {
                continue;
            }
            let key = (host.clone(), place.file.clone());
            let file = files.entry(key).or_insert_with(|| {
                let nodes = of.front.nodes(host).into_iter().filter(|_| !late());
                nodes
                    .into_iter()
                    .find_map(|node| read(of.front, node, &place.file))
            });
            if let Some(file) = file {
                lines.add(place, file);
            }
        }
        lines
    }

    fn add(&mut self, place: &Place, file: &[String]) {
        let here = std::fs::read_to_string(&place.file).unwrap_or_default();
        let here: Vec<&str> = here.lines().collect();
        let around = place.line.saturating_sub(AROUND).max(1)..=place.line.saturating_add(AROUND);
        for number in around {
            let index = number as usize - 1;
            let Some(there) = file.get(index) else { break };
            let text = match here.get(index) {
                None => Some(there.clone()),
                Some(same) if same == there => continue,
                Some(_) => None,
            };
            self.0.insert((place.file.clone(), number), text);
        }
    }

    /// The line at a place, if `here` says what the file of this host has there.
    pub(crate) fn line(&self, place: &Place, here: Option<String>) -> Option<String> {
        match self.0.get(&(place.file.clone(), place.line)) {
            Some(text) => text.clone(),
            None => here,
        }
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
