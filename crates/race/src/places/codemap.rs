//! What the report needs besides the findings: which code lies where in each process, its call stacks, its windows.

use farside_events::{
    Event, EventKind, HandlePlace, Interface, Module, Rank, SourcePlace, StackId, WinId, WindowFlavor,
};
use rustc_hash::FxHashMap as HashMap;

/// Gathered from the events of one job.
#[derive(Debug, Default)]
pub struct CodeMap {
    modules: HashMap<Rank, Vec<Module>>,
    stacks: HashMap<(Rank, StackId), Vec<u64>>,
    sources: HashMap<(Rank, u64), SourcePlace>,
    windows: HashMap<WinId, NamedWindow>,
}

/// A window as a report names it.
#[derive(Clone, Debug)]
pub struct NamedWindow {
    /// The last name given by `MPI_Win_set_name`.
    pub name: Option<Box<str>>,
    /// A process that made it, and where.
    pub created: (Rank, StackId),
    /// Whose calls it is used by.
    pub interface: Interface,
    /// How it was made.
    pub flavor: WindowFlavor,
    /// Where that process put the handle.
    pub handle: Option<HandlePlace>,
}

impl CodeMap {
    /// Keeps what `event` says about code and windows.
    pub fn observe(&mut self, rank: Rank, event: &Event) {
        match &event.kind {
            EventKind::Module(module) => self.modules.entry(rank).or_default().push(module.clone()),
            EventKind::Stack { id, frames } => {
                self.stacks.insert((rank, *id), frames.clone());
            }
            EventKind::Source { address, place } => {
                self.sources.insert((rank, *address), place.clone());
            }
            EventKind::Window(window) => {
                self.windows.entry(window.id).or_insert(NamedWindow {
                    name: None,
                    created: (rank, window.stack),
                    interface: window.interface,
                    flavor: window.flavor,
                    handle: window.handle,
                });
            }
            EventKind::WindowName { win, name } => {
                if let Some(window) = self.windows.get_mut(win) {
                    window.name = Some(name.clone());
                }
            }
            _ => {}
        }
    }

    /// The module that holds `address` in a process; of several (unloaded, then another loaded) the latest.
    pub fn module(&self, rank: Rank, address: u64) -> Option<&Module> {
        self.modules
            .get(&rank)?
            .iter()
            .rfind(|m| (m.start..m.end).contains(&address))
    }

    /// All modules, each with its process.
    pub fn modules(&self) -> impl Iterator<Item = (Rank, &Module)> {
        let of_ranks = self.modules.iter();
        of_ranks.flat_map(|(rank, modules)| modules.iter().map(move |module| (*rank, module)))
    }

    /// The program file of a process: what was mapped first.
    pub fn program(&self, rank: Rank) -> Option<&str> {
        self.modules.get(&rank)?.first().map(|m| &*m.path)
    }

    /// The code addresses of a stack, innermost first; empty if it is not known.
    pub fn stack(&self, rank: Rank, id: StackId) -> &[u64] {
        self.stacks.get(&(rank, id)).map_or(&[], Vec::as_slice)
    }

    /// All stacks that were met, each with its process.
    pub fn stacks(&self) -> impl Iterator<Item = (Rank, &[u64])> {
        self.stacks
            .iter()
            .map(|((rank, _), frames)| (*rank, frames.as_slice()))
    }

    /// The place that the program itself gave for a code address.
    pub fn source(&self, rank: Rank, address: u64) -> Option<&SourcePlace> {
        self.sources.get(&(rank, address))
    }

    /// A window's name and origin.
    pub fn window(&self, id: WinId) -> Option<&NamedWindow> {
        self.windows.get(&id)
    }
}
