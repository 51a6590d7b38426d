//! The inputs with which a program does what a finding says.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a program is started with, and what it reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GivenInputs {
    /// The words of its command line after its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// What it reads from its standard input, if it reads that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_input: Option<String>,
    /// The files that it reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<GivenText>,
    /// The environment variables that it asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<GivenText>,
}

/// A text by its name: of a file or an environment variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GivenText {
    /// As the program names it.
    pub name: String,
    /// All of it.
    pub text: String,
}

/// As options of `farside lint`: `--args "10"`, and texts after what reads them.
impl fmt::Display for GivenInputs {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            arguments,
            standard_input,
            files,
            variables,
        } = self;
        let mut parts = Vec::new();
        if !arguments.is_empty() || standard_input.is_none() && files.is_empty() && variables.is_empty() {
            parts.push(format!("--args {:?}", arguments.join(" ")));
        }
        parts.extend(
            variables
                .iter()
                .map(|one| format!("--env {}={}", one.name, one.text)),
        );
        parts.extend(standard_input.iter().map(|text| format!("--stdin with {text:?}")));
        parts.extend(
            files
                .iter()
                .map(|one| format!("--file {} with {:?}", one.name, one.text)),
        );
        out.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_shown_as_the_options_that_give_them() {
        let mut given = GivenInputs::default();
        assert_eq!(given.to_string(), "--args \"\"");
        given.standard_input = Some("4 7\n".into());
        assert_eq!(given.to_string(), "--stdin with \"4 7\\n\"");
        given.arguments = vec!["-n".into(), "10".into()];
        given.variables = vec![GivenText {
            name: "MODE".into(),
            text: "2".into(),
        }];
        assert_eq!(
            given.to_string(),
            "--args \"-n 10\", --env MODE=2, --stdin with \"4 7\\n\""
        );
    }
}
