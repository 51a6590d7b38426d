//! The arguments of `farside rules` and `farside schema`.

use clap::{Args, ValueEnum};

/// `farside rules`.
#[derive(Debug, Args)]
pub(crate) struct RulesArguments {
    /// The rule to explain, by its id (default: all)
    pub(crate) rule: Option<String>,
}

/// `farside schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArguments {
    /// Whose report
    #[arg(value_enum, default_value_t = SchemaOf::Check)]
    pub(crate) of: SchemaOf,
}

/// What has a JSON report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// `farside check --format json`
    Check,
    /// `farside litmus --format json`
    Litmus,
    /// `farside robust --format json`
    Robust,
    /// `farside conform --format json`
    Conform,
}
