//! `farside setup`: builds what the command needs beside it from the packages of the same release, and installs it.
//!
//! `cargo install` installs programs and no libraries, and a library that is preloaded must be one. So the command asks
//! cargo for the packages of the libraries, at its own version and from where the user's cargo takes packages, and puts
//! what is built where the command looks for it. Why so, and not by a build script: `docs/design/packages.md`.
//!
//! Promise: a file is replaced at once, so that programs that run keep the old one; a part that is not built is named
//! with what it switches off and what to do next. Exit status: 0; 2 if a part that was named, or that `farside check`
//! cannot do without, was not built.
//!
//! | what | where |
//! |---|---|
//! | which parts there are, and where each goes | `parts` |
//! | cargo is asked for one | `build` |
//! | its files are put in place | `install` |
//! | why not | `failure` |

mod build;
mod failure;
mod install;
mod parts;

use crate::fault::Fault;
use crate::output::{complain, print};
use crate::status::Status;
use build::Builder;
use clap::Args;
use failure::Failure;
use parts::Part;
use std::path::PathBuf;

pub(crate) const AFTER_HELP: &str = "\
Examples:
  cargo install farside-cli && farside setup
  farside setup llvm-front                     after LLVM 19 was installed
  farside setup --root ~/farside shmem gaspi   the C libraries, and their headers, elsewhere

Needs Rust (cargo), which takes the packages from where it takes all others: a
registry, or a folder that its configuration names. A package of farside
(scripts/package) has all parts, and needs none of this.

Exit status: 0 if all parts were installed but those that this machine cannot
build, which are listed; 2 if a part that was named could not be built, or one
that farside check needs.";

/// `farside setup`.
#[derive(Debug, Args)]
pub(crate) struct SetupArguments {
    /// What to build and install; all parts if none is named
    #[arg(value_enum, value_name = "PART")]
    parts: Vec<Part>,
    /// The folder whose bin, lib and include get the files; the one above that of this program if none is given
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
    /// Build in FOLDER, and leave it there; a temporary folder if none is given
    #[arg(long, value_name = "FOLDER")]
    build: Option<PathBuf>,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &SetupArguments) -> Status {
    match install_all(arguments) {
        Ok(status) => status,
        Err(fault) => {
            complain(&fault);
            Status::Usage
        }
    }
}

fn install_all(arguments: &SetupArguments) -> Result<Status, Fault> {
    let root = match &arguments.root {
        Some(root) => std::path::absolute(root).map_err(|error| Failure::Unwritable(root.clone(), error))?,
        None => own_root().ok_or(Failure::NoRoot)?,
    };
    let builder = Builder::new(arguments.build.as_deref())?;
    let all = Part::all();
    let wanted = if arguments.parts.is_empty() {
        all
    } else {
        arguments.parts.as_slice()
    };
    let mut status = Status::Clean;
    for &part in wanted {
        let done = builder
            .build(part)
            .and_then(|built| install::put(part, &built, &root));
        match done {
            Ok(path) if install::is_whole(part, &path) => {
                print(&format!("installed  {:<11} {}\n", part.name(), path.display()))?;
            }
            Ok(path) => {
                print(&format!(
                    "without    {:<11} {} has no plugin in it: its headers are missing\n{}",
                    part.name(),
                    path.display(),
                    part.advice()
                ))?;
            }
            // Without cargo no other part is built, and what cannot be written once cannot be written again.
            Err(failure @ (Failure::NoCargo(..) | Failure::Unwritable(..))) => return Err(failure.into()),
            Err(failure) => {
                print(&format!(
                    "left out   {:<11} {failure}\n{}",
                    part.name(),
                    part.advice()
                ))?;
                if part.is_required() || !arguments.parts.is_empty() {
                    status = Status::Usage;
                }
            }
        }
    }
    if arguments.root.is_some() && Some(&root) != own_root().as_ref() {
        print(&format!(
            "\nThis command finds them there after\n  export {}={}\n  export PATH={}:$PATH\n",
            crate::libraries::FOLDER_VARIABLE,
            root.join(parts::LIBRARIES).display(),
            root.join("bin").display()
        ))?;
    }
    Ok(status)
}

/// The folder above that of this program, as `cargo install` and packages lay it out.
fn own_root() -> Option<PathBuf> {
    let program = std::env::current_exe().and_then(std::fs::canonicalize).ok()?;
    Some(program.parent()?.parent()?.to_path_buf())
}
