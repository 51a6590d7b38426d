//! A weak reference tells a program whether the library has a function, with the checker as without.

mod harness;

use harness::{Library, observe, observe_command, scratch};
use std::path::Path;
use std::process::Command;

#[test]
fn a_program_asks_for_functions_that_the_library_lacks() {
    for library in Library::ALL {
        let run = observe(library, "weak.c", 1);
        let said = String::from_utf8_lossy(&run.output.stdout).into_owned();
        // The function of the standard ABI is in no library of Debian 12; the other one is in all of them.
        assert!(
            said.contains("MPI_Abi_get_version 0, MPI_Win_allocate_shared 1"),
            "{library:?}: {said}"
        );
    }
}

/// As mpi4py does: the interpreter knows nothing of MPI, its extension module brings the library.
#[test]
fn a_module_that_is_loaded_later_asks() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    for library in Library::ALL {
        let folder = scratch(&format!("module-{}", library.suffix()));
        let (loads, module) = (folder.join("loads"), folder.join("module.so"));
        build(
            Command::new("gcc")
                .arg(sources.join("loads.c"))
                .arg("-o")
                .arg(&loads),
        );
        let wrapper = format!("mpicc.{}", library.suffix());
        build(
            Command::new(wrapper)
                .args(["-w", "-shared", "-fPIC", "-DPLUGIN"])
                .arg(sources.join("weak.c"))
                .arg("-o")
                .arg(&module),
        );
        let run = observe_command(library, &[&loads, &module], 1);
        assert!(run.output.status.success(), "{library:?}");
        assert_eq!(run.processes.len(), 1, "{library:?} was seen");
    }
}

fn build(command: &mut Command) {
    let output = command.output().expect("the compiler runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
