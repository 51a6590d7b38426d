//! The shipped models, and models of the user.

use crate::mistake::{Mistake, Refusal};
use farside_models::{Model, file, named, names, parse_model};
use serde::{Deserialize, Serialize};

/// A shipped model.
#[derive(Debug, Serialize)]
pub(crate) struct Shipped {
    name: &'static str,
    /// What it is, in one line.
    about: &'static str,
    /// Its file; none for those that are written in Rust.
    text: Option<&'static str>,
}

/// A model file that is right.
#[derive(Debug, Serialize)]
pub(crate) struct Checked {
    name: String,
}

/// A model that is chosen.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Chosen {
    /// A shipped one.
    Named(String),
    /// The text of a model file.
    Own(String),
}

/// The shipped models.
pub(crate) fn all() -> Vec<Shipped> {
    let shipped = |&(name, about): &(&'static str, &'static str)| Shipped {
        name,
        about,
        text: file::text(name),
    };
    names().iter().map(shipped).collect()
}

/// Whether a model file is right.
pub(crate) fn check(text: &str) -> Result<Checked, Refusal> {
    let name = own(text)?.name().to_owned();
    Ok(Checked { name })
}

/// The model that is meant.
pub(crate) fn chosen(chosen: &Chosen) -> Result<Model, Refusal> {
    match chosen {
        Chosen::Named(name) => named(name).ok_or_else(|| Refusal::Fault(format!("no such model: {name}"))),
        Chosen::Own(text) => own(text),
    }
}

/// A model file; it includes shipped ones only.
fn own(text: &str) -> Result<Model, Refusal> {
    parse_model(text, &|_| None).map_err(|errors| {
        let mistakes = errors.iter().map(|error| Mistake::in_model(text, error));
        Refusal::ModelMistakes(mistakes.collect())
    })
}
