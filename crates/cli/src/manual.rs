//! `farside completions` and `farside man`: what a shell and `man` know of the command line, made of its definition.

use crate::fault::Fault;
use crate::output::{complain, print};
use crate::status::Status;
use clap::{Args, Command};
use clap_complete::Shell;
use std::path::{Path, PathBuf};

/// `farside completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// For which shell
    #[arg(value_enum)]
    shell: Shell,
}

/// `farside man`.
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// Where the pages go, a file a command; the folder is made
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Prints the completions of a shell.
pub(crate) fn completions(arguments: &CompletionsArguments, mut command: Command) -> Status {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "farside", &mut text);
    status(print(&String::from_utf8_lossy(&text)))
}

/// Writes the pages.
pub(crate) fn man(arguments: &ManArguments, command: Command) -> Status {
    status(pages(&arguments.folder, command))
}

fn pages(folder: &Path, command: Command) -> Result<(), Fault> {
    let unwritable = |error| Fault::Unwritable(folder.to_path_buf(), error);
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    clap_mangen::generate_to(command, folder).map_err(unwritable)
}

fn status(done: Result<(), Fault>) -> Status {
    match done {
        Ok(()) => Status::Clean,
        Err(fault) => {
            complain(&fault);
            Status::Usage
        }
    }
}
