//! Reading model files, statement by statement.

mod cursor;
mod expression;
mod races;
mod statement;

use super::error::{ModelError, nearest};
use super::lexer::{self, Kind, MOST_ERRORS, Token};
use crate::Model;
use crate::core_rma::expression::RequirementKind;
use crate::core_rma::{CoreModel, Rule};
use expression::Nature;
use std::collections::BTreeMap;

/// Words that begin a statement, and `as`.
pub(super) const KEYWORDS: [&str; 15] = [
    "model",
    "include",
    "rules",
    "without",
    "switch",
    "accesses",
    "completion",
    "let",
    "order",
    "acyclic",
    "irreflexive",
    "empty",
    "races",
    "conflict",
    "as",
];

/// The largest text that is read.
const LARGEST: usize = 1 << 20;

/// Names, orders and requirements that a model may have.
const MOST_STATEMENTS: usize = 1000;

/// How many models may include each other in a chain.
pub(super) const LONGEST_CHAIN: usize = 8;

/// Reads a model file. `resolve` gives the text of a model that it includes; shipped models are known without.
///
/// # Errors
/// All errors found, in the order of the text (at most some twenty).
pub fn parse_model(text: &str, resolve: &dyn Fn(&str) -> Option<String>) -> Result<Model, Vec<ModelError>> {
    let mut shared = Shared {
        model: CoreModel::empty(),
        names: BTreeMap::new(),
        races: None,
        terms: BTreeMap::new(),
        errors: Vec::new(),
        resolve,
        chain: Vec::new(),
        included: 0,
    };
    read(text, None, &mut shared);
    if shared.errors.is_empty()
        && let Some(races) = shared.races.take()
    {
        return Ok(Model::Mpi3(races.finish(&shared.model.name, &shared.model.about)));
    }
    if shared.errors.is_empty() && !shared.model.has(Rule::NoC) {
        let message = "rule no-C is missing: reads would have no values";
        let hint = "add `rules no-C` or `include \"coreRMA\"`";
        shared
            .errors
            .push(ModelError::new(None, text, 0..0, message, Some(hint.into())));
    }
    if shared.errors.is_empty() {
        Ok(Model::CoreRma(shared.model))
    } else {
        shared.errors.truncate(MOST_ERRORS);
        Err(shared.errors)
    }
}

/// What a file and those it includes build together.
pub(super) struct Shared<'r> {
    pub(super) model: CoreModel,
    /// Names of `let`, with their index and nature.
    names: BTreeMap<String, (usize, Nature)>,
    /// The model of races, if it is one.
    races: Option<races::Draft>,
    /// Names of `let` in it.
    terms: BTreeMap<String, races::Named>,
    pub(super) errors: Vec<ModelError>,
    pub(super) resolve: &'r dyn Fn(&str) -> Option<String>,
    /// Names of the files being read, outermost first.
    pub(super) chain: Vec<String>,
    /// How many files have been included.
    pub(super) included: usize,
}

pub(super) fn read(text: &str, file: Option<&str>, shared: &mut Shared<'_>) {
    if text.len() > LARGEST {
        let message = format!(
            "model files have at most {LARGEST} bytes; this one has {}",
            text.len()
        );
        shared
            .errors
            .push(ModelError::new(file, text, 0..0, message, None));
        return;
    }
    let (tokens, errors) = lexer::tokens(file, text);
    shared.errors.extend(errors);
    let mut parser = Parser {
        text,
        file,
        tokens,
        next: 0,
        nesting: 0,
        shared,
    };
    parser.file();
}

/// Reads one file.
pub(super) struct Parser<'t, 's, 'r> {
    pub(super) text: &'t str,
    pub(super) file: Option<&'t str>,
    pub(super) tokens: Vec<Token<'t>>,
    pub(super) next: usize,
    pub(super) nesting: usize,
    pub(super) shared: &'s mut Shared<'r>,
}

impl<'t> Parser<'t, '_, '_> {
    fn file(&mut self) {
        if self.kind() == Kind::Word("model") {
            self.advance();
            self.header();
        } else {
            self.error_here(
                "a model file begins with its name".into(),
                Some("`model \"name\" \"what it is, in one line\"`".into()),
            );
        }
        while self.kind() != Kind::End && self.shared.errors.len() < MOST_ERRORS {
            let keyword = self.kind();
            if let Kind::Word(word) = keyword
                && KEYWORDS.contains(&word)
                && word != "as"
            {
                self.advance();
                if self.statement(word).is_none() {
                    self.recover();
                }
            } else {
                let hint = match keyword {
                    Kind::Word(word) => nearest(word, KEYWORDS).map(|near| format!("did you mean `{near}`?")),
                    _ => Some(format!("statements begin with {}", KEYWORDS[1..14].join(", "))),
                };
                self.error_here("expected a statement".into(), hint);
                self.advance();
                self.recover();
            }
        }
    }

    fn header(&mut self) {
        let Some(name) = self.named_text("a model's name") else {
            return self.recover();
        };
        let about = match self.kind() {
            Kind::Text(about) => {
                self.advance();
                about
            }
            _ => "",
        };
        if self.file.is_none() {
            name.clone_into(&mut self.shared.model.name);
            about.clone_into(&mut self.shared.model.about);
        }
    }

    fn statement(&mut self, keyword: &'t str) -> Option<()> {
        let model = &self.shared.model;
        let statements = model.definitions.len() + model.orders.len() + model.requirements.len();
        let of_races = self.shared.races.as_ref().map_or(0, races::Draft::lines);
        if statements + of_races + self.shared.terms.len() >= MOST_STATEMENTS {
            let place = self.tokens[self.next - 1].place.clone();
            let message = format!("a model has at most {MOST_STATEMENTS} names, orders and requirements");
            self.error(place, message, None);
            self.next = self.tokens.len() - 1;
            return None;
        }
        self.fits(keyword)?;
        match keyword {
            "races" => self.races(),
            "conflict" => self.conflict(),
            "include" => self.include(),
            "rules" | "without" => self.rules(keyword == "rules"),
            "switch" => self.switch(),
            "accesses" => self.accesses(),
            "completion" => self.completion(),
            "let" => self.definition(),
            "order" => self.order(),
            "acyclic" => self.requirement(RequirementKind::Acyclic),
            "irreflexive" => self.requirement(RequirementKind::Irreflexive),
            "empty" => self.requirement(RequirementKind::Empty),
            _ => {
                let place = self.tokens[self.next - 1].place.clone();
                self.error(place, "a model has one name, at its head".into(), None);
                None
            }
        }
    }

    /// Skips to the next statement.
    fn recover(&mut self) {
        while match self.kind() {
            Kind::End => false,
            Kind::Word(word) => word == "as" || !KEYWORDS.contains(&word),
            _ => true,
        } {
            self.advance();
        }
    }
}
