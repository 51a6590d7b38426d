//! Questions of the page, and answers to them: the shape of the JSON.

use crate::litmus::{Test, Verdicts};
use crate::mistake::{Mistake, Refusal};
use crate::models::{Checked, Shipped};
use crate::robust::{Program, Robustness};
use serde::{Deserialize, Serialize};

/// What the page asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(crate) enum Question {
    /// Which models there are.
    Models,
    /// Whether a model file is right.
    Model {
        /// The file.
        text: String,
    },
    /// Which outcomes a litmus test has.
    Litmus(Test),
    /// Whether a program is robust.
    Robust(Program),
    /// The test of a cycle.
    Cycle {
        /// As `farside forge --cycle` takes them.
        edges: String,
        /// Whether locations that no process loads or stores are each at a process of its own.
        #[serde(default)]
        apart: bool,
    },
}

/// What is answered.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", content = "of", rename_all = "kebab-case")]
pub(crate) enum Answer {
    /// The shipped models.
    Models(Vec<Shipped>),
    /// A model file that is right.
    Model(Checked),
    /// What models say of a test.
    Litmus(Box<Verdicts>),
    /// What is said of a program.
    Robust(Box<Robustness>),
    /// The test of a cycle, as text.
    Cycle(String),
    /// The text in the editor is wrong.
    Mistakes(Vec<Mistake>),
    /// The model file of the user is wrong.
    ModelMistakes(Vec<Mistake>),
    /// The question cannot be answered, in a sentence.
    Fault(String),
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Mistakes(mistakes) => Self::Mistakes(mistakes),
            Refusal::ModelMistakes(mistakes) => Self::ModelMistakes(mistakes),
            Refusal::Fault(why) => Self::Fault(why),
        }
    }
}
