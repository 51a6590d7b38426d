//! `farside lsp`: the language server, which looks at sources by `farside lint`.

use crate::fix;
use crate::output::complain;
use crate::status::Status;
use std::process::{Command, Stdio};

/// Serves the editor until it ends the session.
pub(crate) fn run() -> Status {
    let program = std::env::current_exe().unwrap_or_else(|_| "farside".into());
    let lint = move || {
        let mut command = Command::new(&program);
        // Suggestions that were tried, and sources with their hashes, as repairs need them.
        command
            .args(["lint", "--format", "json", "--partial"])
            .stdin(Stdio::null());
        command
    };
    match farside_lsp::serve(lint, fix::changes) {
        Ok(()) => Status::Clean,
        Err(error) => {
            complain(&error.into());
            Status::Usage
        }
    }
}
