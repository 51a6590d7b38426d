//! The smallest program that has a finding's race, and what comes of it.

use serde::{Deserialize, Serialize};

/// A litmus test made of a finding, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LitmusTest {
    /// Why there is no test; none if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Where a page that shows the report finds the files, from its own folder or whole. Not written.
    #[serde(skip)]
    pub folder: String,
    /// The file of the test, as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The file of the test with the repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repaired: Option<String>,
    /// The test in the words of networks, if it is another one: with it outcomes are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_file: Option<String>,
    /// The same with the repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_repaired: Option<String>,
    /// Its text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The model under which it has a race, and none with the repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why nothing is said of networks, where that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_networks: Option<String>,
    /// All outcomes that some model or run has, wrong ones first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<LitmusOutcome>,
    /// The models of networks whose outcomes are told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<String>,
    /// What runs of the test showed, if it was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<LitmusRun>,
}

impl LitmusTest {
    /// Where a page finds one of the files.
    #[must_use]
    pub fn link_to(&self, file: &str) -> String {
        let name = file.rsplit('/').next().unwrap_or(file);
        match self.folder.as_str() {
            "" => name.to_owned(),
            folder => format!("{folder}/{name}"),
        }
    }
}

/// An outcome of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LitmusOutcome {
    /// `1:a=0; X=1;`
    pub state: String,
    /// Whether the repaired test cannot have it where each operation is complete at once.
    pub wrong: bool,
    /// The models under which the test has it.
    pub models: Vec<String>,
    /// The models under which it has it with the repair.
    pub repaired: Vec<String>,
    /// How often it was seen, if the test was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<u64>,
    /// The same with the repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_repaired: Option<u64>,
}

/// Runs of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LitmusRun {
    /// Where.
    pub target: String,
    /// How often the test ran to its end.
    pub runs: u64,
    /// How often a wrong outcome was seen.
    pub wrong: u64,
    /// The same of the test with the repair.
    pub repaired_runs: u64,
    /// The same of the test with the repair.
    pub repaired_wrong: u64,
    /// Why it did not run, where that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
}
