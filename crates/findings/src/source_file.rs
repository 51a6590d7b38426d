//! The sources that findings name, as they were.

use serde::{Deserialize, Serialize};

/// A source that findings name, so that whoever edits it knows whether it is the one that was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceFile {
    /// Its name, as in places.
    pub file: String,
    /// SHA-256 of what was in it when the report was made, as hexadecimal digits.
    pub sha256: String,
    /// Whether it was changed after the program was built, so that places may be wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
}
