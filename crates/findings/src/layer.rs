//! Layers: libraries between a program and MPI, such as ARMCI, Global Arrays, a SHMEM over MPI, or wrappers in a
//! header.
//!
//! A finding is shown at the first frame outside of them, where the program calls the layer; what is inside stays in
//! the stack. Shared objects in the folders of the system, and in those that Python has for packages, are layers by
//! themselves; packages in other folders are told by who can read those. Others are named: by a path (a folder, or a
//! file of code or sources), or by a name (`armci` for `libarmci.so.3`, `libarmci.a(x.o)`'s source `armci/x.c`,
//! `armci.h`).

use crate::place::is_of_python;
use crate::{Finding, Frame};
use std::path::{Component, Path};

/// Where a system keeps the libraries of all programs.
const SYSTEM: [&str; 4] = ["/usr/lib/", "/lib/", "/usr/local/lib/", "/lib64/"];

/// What is a layer, beside the libraries of the system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    named: Vec<String>,
}

impl Layers {
    /// The layers with these names or paths.
    pub fn new(named: impl IntoIterator<Item = String>) -> Self {
        let named = named
            .into_iter()
            .map(|name| name.trim_end_matches('/').to_owned());
        Self {
            named: named.filter(|name| !name.is_empty()).collect(),
        }
    }

    /// Notes in each frame whether it lies in a layer.
    pub fn mark(&self, frames: &mut [Frame]) {
        for frame in frames {
            frame.layer = self.hold(frame);
        }
    }

    /// Those that were named and in which no frame of these findings lies. Nothing is said where there are no frames.
    pub fn unseen(&self, findings: &[Finding]) -> Vec<&str> {
        let frames = || {
            let parties = findings.iter().flat_map(|finding| &finding.parties);
            parties.flat_map(|party| &party.stack)
        };
        let is_unseen = |name: &&String| !frames().any(|frame| is_in(frame, name));
        let named = self.named.iter().filter(|_| frames().next().is_some());
        named.filter(is_unseen).map(String::as_str).collect()
    }

    fn hold(&self, frame: &Frame) -> bool {
        let module = frame.module.as_deref();
        let is_installed = |module: &str| {
            let system = SYSTEM.iter().any(|folder| module.starts_with(folder));
            module.contains(".so") && (system || is_of_python(module))
        };
        module.is_some_and(is_installed) || self.named.iter().any(|name| is_in(frame, name))
    }
}

/// Whether a frame lies in the layer of this name or path.
fn is_in(frame: &Frame, name: &str) -> bool {
    let source = frame.place.as_ref().map(|place| &*place.file);
    [frame.module.as_deref(), source]
        .into_iter()
        .flatten()
        .any(|file| is_part_of(Path::new(file), name))
}

/// Whether a file lies at a path, or is a library, a folder or a source of this name.
fn is_part_of(file: &Path, name: &str) -> bool {
    if name.contains('/') {
        // A path from the current folder fits the end of one that is written in full.
        let wanted: Vec<Component<'_>> = Path::new(name.trim_start_matches("./")).components().collect();
        let parts: Vec<Component<'_>> = file.components().collect();
        return match Path::new(name).is_absolute() {
            true => parts.starts_with(&wanted),
            false => parts.windows(wanted.len()).any(|window| window == wanted),
        };
    }
    file.components().any(|part| {
        let part = part.as_os_str().to_string_lossy();
        let stem = part.split('.').next().unwrap_or_default();
        part == name || stem == name || stem.strip_prefix("lib") == Some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;

    fn is_layer(named: &str, module: &str, file: &str) -> bool {
        let mut frames = [Frame {
            module: Some(module.into()),
            place: Some(Place {
                file: file.into(),
                line: 1,
                column: None,
            }),
            ..Frame::default()
        }];
        Layers::new([named.to_owned()]).mark(&mut frames);
        frames[0].layer
    }

    #[test]
    fn shared_objects_of_the_system_and_of_python_are_layers_and_programs_are_not() {
        assert!(is_layer(
            "",
            "/usr/lib/x86_64-linux-gnu/libarmci.so.3",
            "/build/armci/src/x.c"
        ));
        assert!(!is_layer("", "/usr/lib/petsc/bin/solve", "solve.c"));
        assert!(!is_layer("", "/home/me/app/libapp.so", "app.c"));
        let package = "/home/me/env/lib/python3.11/site-packages/mpi4py/MPI.cpython-311-x86_64-linux-gnu.so";
        assert!(is_layer("", package, "/tmp/build/src/mpi4py/MPI.c"));
    }

    #[test]
    fn layers_are_named_by_library_folder_source_or_path() {
        for (named, module, file) in [
            ("armci", "/opt/x/libarmci.so.3", "x.c"),
            ("armci", "/home/me/app", "/build/armci/src/x.c"),
            ("wrap.h", "/home/me/app", "src/wrap.h"),
            ("wrap", "/home/me/app", "src/wrap.h"),
            ("/home/me/lib", "/home/me/lib/libx.so", "x.c"),
            ("src/comm/", "/home/me/app", "/home/me/src/comm/put.c"),
            ("./src/comm", "/home/me/app", "src/comm/put.c"),
        ] {
            assert!(is_layer(named, module, file), "{named} {module} {file}");
        }
        for (named, module, file) in [
            ("armci", "/home/me/app", "src/armcix.c"),
            ("/home/me/lib", "/home/me/library/x.so", "x.c"),
            ("src/comm", "/home/me/app", "/home/me/src/common/put.c"),
        ] {
            assert!(!is_layer(named, module, file), "{named} {module} {file}");
        }
    }
}
