//! The places of recorded runs: code addresses, by their symbols or by what the program said of them itself.

use super::codemap::CodeMap;
use super::{Places, findings};
use crate::WindowLabel;
use crate::finding::{RawFinding, Site};
use farside_events::{HandlePlace, Interface, Rank, SourcePlace, WinId};
use farside_findings::{Finding, Frame, Place};

/// What is known of code and data addresses.
pub trait Symbols {
    /// The frames of a return address in a process: one, or more where calls were inlined, innermost first.
    fn frames(&mut self, code: &CodeMap, rank: Rank, return_address: u64) -> Vec<Frame>;

    /// The variable at a data address of a process.
    fn variable(&mut self, code: &CodeMap, rank: Rank, address: u64) -> Option<String>;

    /// The variable that holds a handle, as the sources write it (`wins[2]`, `grid.halo`); `None` where that is not
    /// certain.
    fn holder(&mut self, code: &CodeMap, rank: Rank, handle: HandlePlace) -> Option<String>;

    /// Whether a script belongs to a library that the program uses.
    fn is_of_a_library(&mut self, _script: &str) -> bool {
        false
    }

    /// The variable that a script assigns a window to, by the lines that it was made from, innermost first; `None`
    /// where they are not known to do that alone.
    fn assigned(&mut self, _lines: &[Frame]) -> Option<String> {
        None
    }
}

/// Nothing is: for programs that give the places of their calls themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSymbols;

impl Symbols for NoSymbols {
    fn frames(&mut self, _: &CodeMap, _: Rank, address: u64) -> Vec<Frame> {
        vec![Frame {
            address,
            ..Frame::default()
        }]
    }

    fn variable(&mut self, _: &CodeMap, _: Rank, _: u64) -> Option<String> {
        None
    }

    fn holder(&mut self, _: &CodeMap, _: Rank, _: HandlePlace) -> Option<String> {
        None
    }
}

/// Where the events of a recorded run stand.
pub fn places<'a>(code: &'a CodeMap, symbols: &'a mut dyn Symbols) -> impl Places + use<'a> {
    Addresses { code, symbols }
}

/// The findings of one job, in the order of the detector; those of no window are told in the words of this interface.
pub fn place(
    raw: Vec<RawFinding>,
    interface: Interface,
    code: &CodeMap,
    symbols: &mut dyn Symbols,
) -> Vec<Finding> {
    findings(raw, interface, &mut Addresses { code, symbols })
}

/// The source places of a code address of a process; several where calls were inlined.
pub fn code_places(code: &CodeMap, rank: Rank, address: u64, symbols: &mut dyn Symbols) -> Vec<Place> {
    let frames = match code.source(rank, address) {
        Some(source) => vec![frame_of(source)],
        None => symbols.frames(code, rank, address),
    };
    frames.into_iter().filter_map(|frame| frame.place).collect()
}

struct Addresses<'a> {
    code: &'a CodeMap,
    symbols: &'a mut dyn Symbols,
}

impl Places for Addresses<'_> {
    fn stack(&mut self, site: Site) -> Vec<Frame> {
        let code = self.code;
        let addresses = site
            .pc
            .into_iter()
            .chain(code.stack(site.rank, site.stack).iter().copied());
        let mut frames: Vec<Frame> = Vec::new();
        for address in addresses.filter(|&address| address != 0) {
            match code.source(site.rank, address) {
                Some(source) => frames.push(Frame {
                    layer: self.symbols.is_of_a_library(&source.file),
                    ..frame_of(source)
                }),
                None => frames.extend(self.symbols.frames(code, site.rank, address)),
            }
        }
        from_own_sources(user_frames(frames))
    }

    fn variable(&mut self, rank: Rank, address: u64) -> Option<String> {
        self.symbols.variable(self.code, rank, address)
    }

    fn window(&mut self, id: WinId) -> Option<WindowLabel> {
        let window = self.code.window(id)?;
        let (rank, stack) = window.created;
        let name = window.name.as_deref().filter(|name| !name.is_empty());
        // Nobody asks for the variable of a window that has a name.
        let handle = window.handle.filter(|_| name.is_none());
        let variable = handle.and_then(|handle| self.symbols.holder(self.code, rank, handle));
        // Under an interpreter the handle lies in an object, and the program's variable is that of its lines.
        let lines = || -> Vec<Frame> {
            let addresses = self.code.stack(rank, stack).iter();
            let sources = addresses.filter_map(|&address| self.code.source(rank, address));
            sources.map(frame_of).collect()
        };
        let variable = match (name, variable) {
            (None, None) => self.symbols.assigned(&lines()),
            (_, variable) => variable,
        };
        Some(WindowLabel {
            name: name.map(str::to_owned),
            variable,
            interface: window.interface,
            created: Some((window.flavor, Site::of_call(rank, stack))),
        })
    }
}

/// The frame of a place that the program gave itself.
fn frame_of(source: &SourcePlace) -> Frame {
    Frame {
        place: Some(Place {
            file: source.file.to_string(),
            line: source.line,
            column: Some(source.column).filter(|&column| column > 0),
        }),
        function: source.function.as_deref().map(str::to_owned),
        ..Frame::default()
    }
}

/// Leaves out the innermost frames that are inside system headers (`std::fill`, say) or scripts of libraries
/// (`numpy.sum`), so that the stack begins where the program's own sources call them.
fn from_own_sources(mut frames: Vec<Frame>) -> Vec<Frame> {
    let own = |frame: &Frame| {
        let is_of_a_library = frame.layer && frame.module.is_none();
        let place = frame.place.as_ref();
        !is_of_a_library && place.is_some_and(|place| !place.is_in_system_header())
    };
    if let Some(first) = frames.iter().position(own)
        && frames[..first].iter().all(|frame| frame.place.is_some())
    {
        frames.drain(..first);
    }
    frames
}

/// The stack from the user's code on: without what our library and the MPI library put before it, and without what
/// starts programs and threads.
fn user_frames(mut frames: Vec<Frame>) -> Vec<Frame> {
    frames.retain(|f| !file_name(f).starts_with("libfarside_") && !is_start(f));
    let first = frames.iter().position(|f| !is_mpi_library(file_name(f)));
    match first {
        Some(first) => frames.split_off(first),
        None => frames,
    }
}

fn file_name(frame: &Frame) -> &str {
    let path = frame.module.as_deref().unwrap_or("");
    path.rsplit('/').next().unwrap_or(path)
}

/// Fortran's `mpi_f08` bindings call C bindings within the library.
fn is_mpi_library(file: &str) -> bool {
    ["libmpi", "libpmpi", "libopen-", "libfmpi"]
        .iter()
        .any(|prefix| file.starts_with(prefix))
}

/// What the C library and thread libraries start programs and threads with.
fn is_start(frame: &Frame) -> bool {
    const START: [&str; 9] = [
        "_start",
        "__libc_start_main",
        "__libc_start_main_impl",
        "__libc_start_call_main",
        "start_thread",
        "clone",
        "clone3",
        "__clone3",
        "gomp_thread_start",
    ];
    let function = frame.function.as_deref().unwrap_or("");
    let function = function.split('@').next().unwrap_or(function);
    // Without its own symbol table, the C library's inner functions have no names.
    START.contains(&function) || (function.is_empty() && file_name(frame).starts_with("libc.so"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(module: &str, function: &str) -> Frame {
        Frame {
            function: Some(function.into()),
            module: Some(module.into()),
            ..Frame::default()
        }
    }

    #[test]
    fn only_frames_of_the_program_are_left() {
        let frames = vec![
            frame("/x/libfarside_interpose.so", "MPI_Put"),
            frame("/usr/lib/libmpi_usempif08.so.40", "mpi_put_f08_"),
            frame("/x/app", "exchange"),
            frame("/x/app", "MAIN__"),
            frame("/x/app", "main"),
            frame("/lib/libc.so.6", ""),
            frame("/lib/libc.so.6", "__libc_start_main@@GLIBC_2.34"),
            frame("/x/app", "_start"),
        ];
        let names: Vec<_> = user_frames(frames)
            .into_iter()
            .filter_map(|f| f.function)
            .collect();
        assert_eq!(names, ["exchange", "MAIN__", "main"]);
    }
}
