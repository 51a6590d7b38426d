//! Programs and libraries, found by the builds that ran.
//!
//! A process says where each of its modules lay, and the name of its build. If the file at that path here has that
//! name, it is read here; else that of the process's host is, as far as symbols need it: the collector there sends its
//! headers, symbol tables and debug information, not its code.
//!
//! Promise: what is found is the build that ran, where it has a name. Without one, it is the file at its path on its
//! host.

use farside_collect::{Front, Node};
use farside_events::Module;
use object::Object;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// No more of a file is brought.
const MOST: u64 = 1 << 30;

/// Which file: of one without a build's name, also where.
type Key = (Box<str>, Box<[u8]>, Option<String>);

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binary {
    /// Where it can be read.
    path: PathBuf,
    /// It was brought from another host.
    brought: bool,
}

impl Binary {
    /// Where it can be read.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it was brought from another host, for it is not here.
    pub(crate) fn is_brought(&self) -> bool {
        self.brought
    }
}

/// Finds files, each once.
pub(crate) struct Binaries<'f> {
    front: Option<&'f Front>,
    /// For what is brought.
    folder: PathBuf,
    found: HashMap<Key, Binary>,
    missing: HashSet<(Key, Option<String>)>,
}

impl<'f> Binaries<'f> {
    /// Those of hosts whose collectors are connected to `front` are brought into `folder`.
    pub(crate) fn new(front: Option<&'f Front>, folder: &Path) -> Self {
        Self {
            front,
            folder: folder.to_path_buf(),
            found: HashMap::new(),
            missing: HashSet::new(),
        }
    }

    /// The file of a module of a process of `host`, which is none for this one; none if it cannot be read, or if `late`
    /// says that there is no time.
    pub(crate) fn find(
        &mut self,
        module: &Module,
        host: Option<&str>,
        late: &dyn Fn() -> bool,
    ) -> Option<Binary> {
        let of_host = host.filter(|_| module.build.is_empty()).map(str::to_owned);
        let key = (module.path.clone(), module.build.clone(), of_host);
        if let Some(found) = self.found.get(&key) {
            return Some(found.clone());
        }
        let there = (key.clone(), host.map(str::to_owned));
        if self.missing.contains(&there) {
            return None;
        }
        match self.look(module, host, late) {
            Some(found) => {
                self.found.insert(key, found.clone());
                Some(found)
            }
            None => {
                self.missing.insert(there);
                None
            }
        }
    }

    fn look(&self, module: &Module, host: Option<&str>, late: &dyn Fn() -> bool) -> Option<Binary> {
        let path = Path::new(&*module.path);
        let here = match module.build.is_empty() {
            true => host.is_none(),
            false => build_of(path).is_some_and(|build| build == *module.build),
        };
        if here {
            return Some(Binary {
                path: path.to_path_buf(),
                brought: false,
            });
        }
        let (front, host) = self.front.zip(host)?;
        let to = self.folder.join(format!("binary-{}", self.found.len()));
        let bring = |node| {
            copy((front, node), &module.path, &to, late).ok()?;
            (module.build.is_empty() || build_of(&to)? == *module.build).then_some(())
        };
        front.nodes(host).into_iter().find_map(bring)?;
        Some(Binary {
            path: to,
            brought: true,
        })
    }
}

impl Drop for Binaries<'_> {
    fn drop(&mut self) {
        for binary in self.found.values().filter(|binary| binary.brought) {
            let _ = fs::remove_file(&binary.path);
        }
    }
}

/// The name of its build that the linker gave a file.
fn build_of(path: &Path) -> Option<Vec<u8>> {
    // The path comes from the checked program: a pipe must not block us.
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    let cache = object::ReadCache::new(File::open(path).ok().filter(|_| is_file)?);
    let file = object::File::parse(&cache).ok()?;
    Some(file.build_id().ok()??.to_vec())
}

/// Copies what symbols need of a file of another host, each byte to its place: all headers, and the sections that are
/// not loaded, or that are tables of names. The rest is a hole.
fn copy((front, node): (&Front, Node), path: &str, to: &Path, late: &dyn Fn() -> bool) -> io::Result<()> {
    let file = File::create(to)?;
    let wrong = || io::Error::from(ErrorKind::InvalidData);
    let mut head = Vec::new();
    let size = front.read(node, path, &[(0, 64)], &mut |_, bytes| {
        head = bytes.to_vec();
        Ok(())
    })?;
    if head.len() < 64 || !head.starts_with(b"\x7fELF\x02\x01") {
        return Err(wrong());
    }
    let long = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or_default());
    let short = |at: usize| u64::from(u16::from_le_bytes([head[at], head[at + 1]]));
    // e_phoff and e_shoff, with the sizes and numbers of what begins there.
    let programs = (long(&head, 32), short(54) * short(56));
    let sections = (long(&head, 40), short(58) * short(60));
    let entry = usize::try_from(short(58)).unwrap_or(0);
    let mut table = vec![0; usize::try_from(sections.1).map_err(io::Error::other)?];
    front.read(node, path, &[sections], &mut |offset, bytes| {
        let begin = usize::try_from(offset - sections.0).map_err(io::Error::other)?;
        let place = table.get_mut(begin..begin + bytes.len()).ok_or_else(wrong)?;
        place.copy_from_slice(bytes);
        Ok(())
    })?;
    let mut pieces = vec![(0, 64), programs, sections];
    for section in table
        .chunks_exact(entry.max(1))
        .filter(|section| section.len() >= 64)
    {
        const EMPTY: u32 = 8;
        const NAMES_AND_NOTES: [u32; 3] = [3, 7, 11];
        const LOADED: u64 = 2;
        let kind = u32::from_le_bytes(section[4..8].try_into().unwrap_or_default());
        let loaded = long(section, 8) & LOADED != 0;
        if kind != EMPTY && (!loaded || NAMES_AND_NOTES.contains(&kind)) {
            pieces.push((long(section, 24), long(section, 32)));
        }
    }
    let wanted = pieces
        .iter()
        .try_fold(0_u64, |sum, (_, length)| sum.checked_add(*length));
    if wanted.is_none_or(|wanted| wanted > MOST) {
        return Err(ErrorKind::FileTooLarge.into());
    }
    file.set_len(size)?;
    front.read(node, path, &pieces, &mut |offset, bytes| match late() {
        true => Err(ErrorKind::Interrupted.into()),
        false => file.write_all_at(bytes, offset),
    })?;
    Ok(())
}
