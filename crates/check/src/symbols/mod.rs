//! Code addresses to functions and source lines, data addresses to variables, by DWARF and symbol tables.
//!
//! Files are read when the program has ended, each one once, and only those of the builds that ran (`binaries`).
//! Frames are return addresses, so the byte before is looked up. Inlined calls become frames of their own. A file
//! without debug information gives function names from its symbol table. When we were asked to end, what was not
//! looked up by then stays an address.

mod assigned;
mod holder;
mod packages;

use crate::binaries::Binaries;
use addr2line::Loader;
use farside_events::{HandlePlace, Module, Rank, StackFrame};
use farside_findings::{Frame, Layers, Place};
use farside_race::CodeMap;
use holder::DebugFile;
use packages::Packages;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

/// Looks addresses up.
pub(crate) struct Symbols<'f, L> {
    /// Whether there is no time to read another file.
    late: L,
    binaries: Binaries<'f>,
    /// By where they are read.
    files: HashMap<PathBuf, Option<Loader>>,
    /// By file, and what it is called in reports.
    frames: HashMap<(Option<PathBuf>, Box<str>, u64), Vec<Frame>>,
    /// The file that variables were last looked up in; `None` if it could not be read.
    variables: Option<(PathBuf, Option<DebugFile>)>,
    /// By file, frame in its numbering, and address: there, or below the frame's end.
    holders: HashMap<(PathBuf, Option<u64>, u64), Option<String>>,
    here: Option<PathBuf>,
    layers: Layers,
    packages: Packages,
    /// Where the processes of the job run that do not run here.
    hosts: BTreeMap<Rank, String>,
    unread: BTreeSet<Box<str>>,
    brought: BTreeSet<(String, Box<str>)>,
}

impl<'f, L: Fn() -> bool> Symbols<'f, L> {
    /// Paths of source files are shown relative to the current folder where they lie below it. Files are read until
    /// `late` says that there is no time any more.
    pub(crate) fn new(late: L, layers: Layers, binaries: Binaries<'f>) -> Self {
        Self {
            late,
            binaries,
            files: HashMap::new(),
            frames: HashMap::new(),
            variables: None,
            holders: HashMap::new(),
            here: std::env::current_dir().ok(),
            layers,
            packages: Packages::default(),
            hosts: BTreeMap::new(),
            unread: BTreeSet::new(),
            brought: BTreeSet::new(),
        }
    }

    /// From now on ranks are those of a job whose processes run here, but these.
    pub(crate) fn enter(&mut self, hosts: &BTreeMap<Rank, String>) {
        self.hosts.clone_from(hosts);
    }

    /// Modules that could not be read: the builds that ran are not to be had.
    pub(crate) fn unread(&self) -> &BTreeSet<Box<str>> {
        &self.unread
    }

    /// Modules whose builds are not here, by the host that they were brought from.
    pub(crate) fn brought(&self) -> &BTreeSet<(String, Box<str>)> {
        &self.brought
    }

    /// Where the module of a process can be read.
    fn find(&mut self, module: &Module, rank: Rank) -> Option<PathBuf> {
        let host = self.hosts.get(&rank).map(String::as_str);
        if (self.late)() {
            return None;
        }
        match self.binaries.find(module, host, &self.late) {
            Some(binary) => {
                if let Some(host) = host.filter(|_| binary.is_brought()) {
                    self.brought.insert((host.to_owned(), module.path.clone()));
                }
                Some(binary.path().to_path_buf())
            }
            None => {
                self.unread.insert(module.path.clone());
                None
            }
        }
    }

    fn look_up(&mut self, file: Option<&Path>, path: &str, address: u64) -> Vec<Frame> {
        let here = self.here.clone();
        let Some(loader) = file.and_then(|file| self.load(file)) else {
            return vec![Frame {
                module: Some(path.to_string()),
                address,
                ..Frame::default()
            }];
        };
        let mut found = Vec::new();
        if let Ok(mut frames) = loader.find_frames(address) {
            while let Ok(Some(frame)) = frames.next() {
                found.push(Frame {
                    function: frame
                        .function
                        .and_then(|f| Some(source_name(&f.demangle().ok()?))),
                    place: frame.location.and_then(|location| {
                        Some(Place {
                            file: shown_path(location.file?, here.as_deref()),
                            line: location.line.filter(|&line| line > 0)?,
                            column: location.column.filter(|&column| column > 0),
                        })
                    }),
                    module: Some(path.to_string()),
                    address,
                    layer: false,
                    shown: false,
                });
            }
        }
        if found.is_empty() {
            found.push(Frame {
                module: Some(path.to_string()),
                address,
                ..Frame::default()
            });
        }
        if let Some(outermost) = found.last_mut().filter(|f| f.function.is_none()) {
            outermost.function = loader.find_symbol(address).map(demangled);
        }
        found
    }

    /// Whether a shared object, or a script, belongs to a package of Python.
    fn is_of_a_package(&mut self, file: &str) -> bool {
        let may_be = file.contains(".so") || file.ends_with(".py");
        may_be && !(self.late)() && self.packages.hold(file)
    }

    /// The debug information of a file, as far as variables are concerned.
    fn debug_file(&mut self, path: &Path) -> Option<&DebugFile> {
        if (self.late)() {
            return None;
        }
        if self.variables.as_ref().is_none_or(|(known, _)| known != path) {
            self.variables = Some((path.to_path_buf(), DebugFile::read(path)));
        }
        self.variables.as_ref()?.1.as_ref()
    }

    fn load(&mut self, path: &Path) -> Option<&Loader> {
        if (self.late)() {
            return None;
        }
        let load = || Loader::new(path).ok();
        self.files.entry(path.to_path_buf()).or_insert_with(load).as_ref()
    }
}

impl<L: Fn() -> bool> farside_race::Symbols for Symbols<'_, L> {
    fn frames(&mut self, code: &CodeMap, rank: Rank, return_address: u64) -> Vec<Frame> {
        let address = return_address.wrapping_sub(1);
        let Some(module) = code.module(rank, address) else {
            return vec![Frame {
                address,
                ..Frame::default()
            }];
        };
        let file = self.find(module, rank);
        let key = (file, module.path.clone(), address.wrapping_sub(module.bias));
        if let Some(frames) = self.frames.get(&key) {
            return frames.clone();
        }
        let mut frames = self.look_up(key.0.as_deref(), &key.1, key.2);
        self.layers.mark(&mut frames);
        if self.is_of_a_package(&module.path) {
            frames.iter_mut().for_each(|frame| frame.layer = true);
        }
        self.frames.insert(key, frames.clone());
        frames
    }

    /// With the offset into the variable: `halo`, `halo+0x40`.
    fn variable(&mut self, code: &CodeMap, rank: Rank, address: u64) -> Option<String> {
        let module = code.module(rank, address)?;
        let (file, address) = (self.find(module, rank)?, address.wrapping_sub(module.bias));
        let loader = self.load(&file)?;
        let in_data = [".data", ".bss", ".rodata", ".data.rel.ro", ".lbss", ".ldata"]
            .iter()
            .any(|name| {
                let range = loader.get_section_range(name.as_bytes());
                range.is_some_and(|r| (r.begin..r.end).contains(&address))
            });
        let symbol = loader.find_symbol_info(address).filter(|_| in_data)?;
        let name = variable_name(symbol.name());
        Some(match address - symbol.address() {
            0 => name,
            offset => format!("{name}+{offset:#x}"),
        })
    }

    fn holder(&mut self, code: &CodeMap, rank: Rank, handle: HandlePlace) -> Option<String> {
        let address = handle.address;
        let Some(frame) = handle.frame else {
            let module = code.module(rank, address)?;
            let (file, address) = (self.find(module, rank)?, in_file(module, address));
            let key = (file, None, address);
            if let Some(known) = self.holders.get(&key) {
                return known.clone();
            }
            let found = self.debug_file(&key.0)?.global(address);
            self.holders.insert(key, found.clone());
            return found;
        };
        let module = code.module(rank, frame.return_address.wrapping_sub(1))?;
        let file = self.find(module, rank)?;
        let frame = StackFrame {
            return_address: in_file(module, frame.return_address),
            ..frame
        };
        let key = (
            file,
            Some(frame.return_address),
            frame.canonical.wrapping_sub(address),
        );
        if let Some(known) = self.holders.get(&key) {
            return known.clone();
        }
        let found = self.debug_file(&key.0)?.local(frame, address);
        self.holders.insert(key, found.clone());
        found
    }

    fn is_of_a_library(&mut self, script: &str) -> bool {
        self.is_of_a_package(script)
    }

    fn assigned(&mut self, lines: &[Frame]) -> Option<String> {
        assigned::of(lines)
    }
}

/// An address in the numbering of a module's file.
fn in_file(module: &Module, address: u64) -> u64 {
    address.wrapping_sub(module.bias)
}

/// The name of a function as its source has it: C++, Rust, Fortran and Cython names, others as they are.
#[must_use]
pub fn demangled(name: &str) -> String {
    source_name(&addr2line::demangle_auto(name.into(), None))
}

/// `module::name` for what gfortran calls `__module_MOD_name`, `mpi4py.MPI.Win.Put` for what Cython calls
/// `__pyx_pw_6mpi4py_3MPI_3Win_51Put`; other names as they are.
fn source_name(name: &str) -> String {
    let of_fortran = || {
        let (module, name) = name.strip_prefix("__")?.split_once("_MOD_")?;
        Some(format!("{module}::{name}"))
    };
    let of_cython = || {
        let mut kinds = ["__pyx_pw_", "__pyx_pf_", "__pyx_f_"].iter();
        cython_name(kinds.find_map(|kind| name.strip_prefix(kind))?)
    };
    of_fortran().or_else(of_cython).unwrap_or_else(|| name.to_owned())
}

/// Names after their lengths, and a function after its number or nothing: `6mpi4py_3MPI_3Win_51Put`.
fn cython_name(mangled: &str) -> Option<String> {
    let mut names = Vec::new();
    let mut rest = mangled;
    loop {
        let name = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let length: usize = rest[..rest.len() - name.len()].parse().unwrap_or(0);
        match name
            .get(..length)
            .zip(name.get(length..).and_then(|inner| inner.strip_prefix('_')))
        {
            Some((outer, inner)) if length > 0 => {
                names.push(outer);
                rest = inner;
            }
            _ => {
                names.push(name);
                break;
            }
        }
    }
    (names.len() > 1 && !names.contains(&"")).then(|| names.join("."))
}

/// The name in the source: Fortran module variables, statics of C functions, C++ names.
fn variable_name(symbol: &str) -> String {
    match symbol.split_once('.') {
        // `count.0`: a static variable of a function, numbered by the compiler.
        Some((name, number)) if !name.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
            name.to_string()
        }
        _ => demangled(symbol),
    }
}

/// A source path as a report shows it: relative to `here`, the folder where Farside was started, if it lies below.
#[must_use]
pub fn shown_path(recorded: &str, here: Option<&Path>) -> String {
    // `/work/./built/../x.c` comes from a build folder joined with a relative name.
    let path = without_parents(Path::new(recorded));
    let relative = here.and_then(|here| path.strip_prefix(here).ok());
    relative.unwrap_or(&path).to_string_lossy().into_owned()
}

/// The path without `.`, and without `..` where that names the same file: a folder may be a link to elsewhere.
fn without_parents(recorded: &Path) -> PathBuf {
    let path: PathBuf = recorded.components().collect();
    let mut short = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if matches!(short.components().next_back(), Some(Component::Normal(_))) => {
                short.pop();
            }
            part => short.push(part),
        }
    }
    let is_same =
        || matches!((path.canonicalize(), short.canonicalize()), (Ok(one), Ok(other)) if one == other);
    if short != path && is_same() { short } else { path }
}

#[cfg(test)]
mod on_a_built_program;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_begins_where_the_program_calls_a_package() {
        use farside_events::{Event, EventKind, SourcePlace, StackId, ThreadId};
        use farside_race::{Places as _, Site};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        std::fs::create_dir(at("fields-1.0.dist-info")).unwrap();
        std::fs::write(at("fields-1.0.dist-info/RECORD"), "fields/sum.py,,\n").unwrap();
        let mut code = CodeMap::default();
        let mut tell = |kind| {
            let (time, thread) = (1, ThreadId(0));
            code.observe(Rank(0), &Event { time, thread, kind });
        };
        for (address, file) in [(1, "fields/sum.py"), (2, "heat.py"), (3, "fields/sum.py")] {
            let place = SourcePlace {
                file: at(file).into(),
                line: 1,
                column: 0,
                function: None,
            };
            tell(EventKind::Source { address, place });
        }
        let frames = [1, 2, 3].into();
        tell(EventKind::Stack {
            id: StackId(7),
            frames,
        });
        let mut symbols = Symbols::new(
            || false,
            Layers::default(),
            Binaries::new(None, Path::new("/nowhere")),
        );
        let stack = farside_race::places(&code, &mut symbols).stack(Site {
            rank: Rank(0),
            pc: None,
            stack: StackId(7),
        });
        let frames: Vec<(&str, bool)> = stack
            .iter()
            .map(|frame| (&*frame.place.as_ref().unwrap().file, frame.layer))
            .collect();
        assert_eq!(frames, [(&*at("heat.py"), false), (&*at("fields/sum.py"), true)]);
    }

    #[test]
    fn names_of_variables() {
        for (symbol, name) in [
            ("halo", "halo"),
            ("count.0", "count"),
            ("__heat_MOD_grid", "heat::grid"),
            ("_ZN4mesh4haloE", "mesh::halo"),
            ("__pyx_pw_6mpi4py_3MPI_3Win_51Put", "mpi4py.MPI.Win.Put"),
            ("__pyx_pf_4grid_4Halo_2exchange", "grid.Halo.exchange"),
            ("__pyx_f_4grid_step_2", "grid.step_2"),
            ("__pyx_tp_new", "__pyx_tp_new"),
        ] {
            assert_eq!(variable_name(symbol), name);
        }
    }

    #[test]
    fn paths_below_the_current_folder_are_short() {
        let here = Some(Path::new("/work/app"));
        assert_eq!(shown_path("/work/app/./src/x.c", here), "src/x.c");
        assert_eq!(shown_path("/usr/src/y.c", here), "/usr/src/y.c");
        assert_eq!(shown_path("z.c", None), "z.c");
        let folder = tempfile::tempdir().unwrap();
        let (here, at) = (Some(folder.path()), |name: &str| {
            folder.path().join(name).display().to_string()
        });
        std::fs::create_dir_all(at("built/deep")).unwrap();
        std::fs::write(at("x.c"), "").unwrap();
        assert_eq!(shown_path(&at("built/deep/../../x.c"), here), "x.c");
        // Through a link `..` is elsewhere, and of a file that is not here nothing is known.
        std::os::unix::fs::symlink(at("built/deep"), at("link")).unwrap();
        std::fs::write(at("built/y.c"), "").unwrap();
        assert_eq!(shown_path(&at("link/../y.c"), here), "link/../y.c");
        assert_eq!(shown_path(&at("built/../gone.c"), here), "built/../gone.c");
    }
}
