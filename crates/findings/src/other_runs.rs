//! Runs in which receives from any source took other messages than in the first one, or processes had other speeds.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What another order of processes is made by, where no receive takes another message.
pub const OTHER_SPEEDS: &str = "processes that are not equally fast";

/// With how many processes on a node something was found, in words.
#[must_use]
pub fn processes_on_nodes(per_node: u32) -> String {
    match per_node {
        1 => "each process on a node of its own".to_owned(),
        several => format!("{several} processes on a node"),
    }
}

/// What came of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OtherRuns {
    /// Runs that were made.
    pub tried: u32,
    /// Those of them in which processes were not equally fast.
    #[serde(default)]
    pub speeds: u32,
    /// Matches that were possible, as far as is known, and were not tried.
    pub left: u32,
    /// Findings of these runs that the first one does not have.
    pub found: u32,
    /// Runs that came to nothing: the program could not be started, or failed.
    pub failed: u32,
}

impl fmt::Display for OtherRuns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tried,
            speeds,
            left,
            found,
            failed,
        } = *self;
        if tried == 0 && left == 0 {
            return f.write_str(
                "no receive could have taken another message, and nothing depends on who comes first",
            );
        }
        let s = |number: u32| if number == 1 { "" } else { "s" };
        let what = match (tried - speeds.min(tried), speeds) {
            (_, 0) => "other matches of receives".to_owned(),
            (0, _) => OTHER_SPEEDS.to_owned(),
            _ => format!("other matches of receives, or {OTHER_SPEEDS}"),
        };
        write!(
            f,
            "{tried} run{} with {what}: {found} more finding{}",
            s(tried),
            s(found)
        )?;
        if failed > 0 {
            write!(f, ", {failed} failed")?;
        }
        if left > 0 {
            write!(
                f,
                "; {left} match{} not tried (--orders)",
                if left == 1 { "" } else { "es" }
            )?;
        }
        Ok(())
    }
}
