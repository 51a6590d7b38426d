//! Who needs whom in a crate, and what follows from that.

use super::source::{self, Module, Names};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// Names that lead from one module to the next when a path is resolved, at most.
const DEEPEST: usize = 16;

/// The modules of a crate.
pub(super) struct Graph {
    modules: Vec<(Names, Module)>,
    /// (who, whom), as places in `modules`.
    needs: BTreeSet<(usize, usize)>,
}

/// Where the methods of a type lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Methods {
    pub(super) files: usize,
    /// Files outside the folder of the type.
    pub(super) outside: usize,
}

impl Graph {
    /// The crate whose sources lie in a folder; `None` if there is none.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, String> {
        let Some(root) = ["lib.rs", "main.rs"]
            .iter()
            .map(|name| folder.join(name))
            .find(|path| path.exists())
        else {
            return Ok(None);
        };
        let mut modules = HashMap::new();
        source::read(&root, &Vec::new(), &mut modules)?;
        let mut modules: Vec<_> = modules.into_iter().collect();
        modules.sort_by(|left, right| left.0.cmp(&right.0));
        let mut graph = Self {
            modules,
            needs: BTreeSet::new(),
        };
        for from in 0..graph.modules.len() {
            for path in &graph.modules[from].1.needs {
                let to = graph.owner(path, DEEPEST);
                if to != from {
                    graph.needs.insert((from, to));
                }
            }
        }
        Ok(Some(graph))
    }

    fn position(&self, path: &[String]) -> Option<usize> {
        self.modules
            .binary_search_by(|module| module.0.as_slice().cmp(path))
            .ok()
    }

    /// The module in which the item of a path is defined.
    fn owner(&self, path: &[String], depth: usize) -> usize {
        let mut known = 0;
        while known < path.len() && self.position(&path[..=known]).is_some() {
            known += 1;
        }
        let module = self.position(&path[..known]).expect("the root is a module");
        let Some(name) = path.get(known) else {
            return module;
        };
        let Some(deeper) = depth.checked_sub(1) else {
            return module;
        };
        let own = &self.modules[module].1;
        if own.types.contains(name) {
            return module;
        }
        if let Some(target) = own.imports.get(name) {
            let mut whole = target.clone();
            whole.extend_from_slice(&path[known + 1..]);
            return self.owner(&whole, deeper);
        }
        for glob in &own.globs {
            let mut whole = glob.clone();
            whole.push(name.clone());
            let from = self.owner(&whole, deeper);
            if self.modules[from].1.types.contains(name) {
                return from;
            }
        }
        module
    }

    fn name(&self, module: usize) -> String {
        match self.modules[module].0.as_slice() {
            [] => "(root)".to_owned(),
            path => path.join("::"),
        }
    }

    pub(super) fn modules(&self) -> usize {
        self.modules.len()
    }

    pub(super) fn lines(&self) -> usize {
        self.modules.iter().map(|module| module.1.lines).sum()
    }

    /// Modules of one parent that need one another, they or modules in them; the largest circle first. A module and its
    /// parent are one room: what they need of each other is no circle.
    pub(super) fn circles(&self) -> Vec<Vec<String>> {
        let graph: DiGraphMap<&[String], ()> = self.beside().map(|(from, to)| (from, to, ())).collect();
        let mut circles: Vec<Vec<String>> = tarjan_scc(&graph)
            .into_iter()
            .filter(|circle| circle.len() > 1)
            .map(|circle| {
                let mut names: Vec<String> = circle.into_iter().map(|path| path.join("::")).collect();
                names.sort();
                names
            })
            .collect();
        circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        circles
    }

    /// The needs between modules of one parent.
    fn beside(&self) -> impl Iterator<Item = (&[String], &[String])> {
        self.needs.iter().filter_map(|(from, to)| {
            let (from, to) = (self.modules[*from].0.as_slice(), self.modules[*to].0.as_slice());
            let shared = from.iter().zip(to).take_while(|(from, to)| from == to).count();
            Some((from.get(..=shared)?, to.get(..=shared)?))
        })
    }

    /// Which module of a circle needs which other, and through which of the modules in them.
    pub(super) fn edges_within(&self, circle: &[String]) -> Vec<(String, String)> {
        let in_circle = |path: &str| {
            circle
                .iter()
                .find(|member| path == *member || path.starts_with(&format!("{member}::")))
        };
        let named = self
            .needs
            .iter()
            .map(|(from, to)| (self.name(*from), self.name(*to)));
        named
            .filter(|(from, to)| {
                let (from, to) = (in_circle(from), in_circle(to));
                from.is_some() && to.is_some() && from != to
            })
            .collect()
    }

    /// Fields that code outside their module can touch, by module.
    pub(super) fn open_fields(&self) -> BTreeMap<String, usize> {
        let open = (0..self.modules.len()).filter(|module| self.modules[*module].1.open_fields > 0);
        open.map(|module| (self.name(module), self.modules[module].1.open_fields))
            .collect()
    }

    /// Where the inherent methods of each type of the crate lie.
    pub(super) fn methods(&self) -> BTreeMap<String, Methods> {
        let mut places: BTreeMap<(usize, String), BTreeSet<usize>> = BTreeMap::new();
        for (module, (_, own)) in self.modules.iter().enumerate() {
            for path in &own.methods {
                let Some(name) = path.last() else { continue };
                let home = self.owner(path, DEEPEST);
                if self.modules[home].1.types.contains(name) {
                    places.entry((home, name.clone())).or_default().insert(module);
                }
            }
        }
        let described = places.into_iter().map(|((home, name), modules)| {
            let files: BTreeSet<_> = modules
                .iter()
                .map(|module| &self.modules[*module].1.file)
                .collect();
            let folder = self.folder(home);
            let outside = modules
                .iter()
                .filter(|module| !self.modules[**module].0.starts_with(folder));
            let methods = Methods {
                files: files.len(),
                outside: outside.count(),
            };
            (format!("{}::{name}", self.name(home)), methods)
        });
        described.collect()
    }

    /// The module that a type's methods stay within: its own if that has modules in it or stands at the root, else the
    /// one that it is part of.
    fn folder(&self, home: usize) -> &[String] {
        let (path, module) = &self.modules[home];
        match path.len() {
            0 | 1 => path,
            _ if !module.children.is_empty() => path,
            length => &path[..length - 1],
        }
    }
}
