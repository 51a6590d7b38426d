//! Reading model files, statement by statement.

use super::error::{ModelError, nearest};
use super::expression::{Nature, Read, Type, is_builtin};
use super::lexer::{self, Kind, MOST_ERRORS, Token};
use super::shipped;
use crate::Model;
use crate::core_rma::expression::{Ordering, Requirement, RequirementKind};
use crate::core_rma::{CoreModel, Rule, Rules, Switch};
use farside_litmus::ast::Atomicity;
use std::collections::BTreeMap;
use std::ops::Range;

/// Words that begin a statement, and `as`.
pub(super) const KEYWORDS: [&str; 12] = [
    "model",
    "include",
    "rules",
    "without",
    "switch",
    "accesses",
    "let",
    "order",
    "acyclic",
    "irreflexive",
    "empty",
    "as",
];

/// The largest text that is read.
const LARGEST: usize = 1 << 20;

/// Names, orders and requirements that a model may have.
const MOST_STATEMENTS: usize = 1000;

/// How many models may include each other in a chain.
const LONGEST_CHAIN: usize = 8;

/// Reads a model file. `resolve` gives the text of a model that it includes; shipped models are known without.
///
/// # Errors
/// All errors found, in the order of the text (at most some twenty).
pub fn parse_model(text: &str, resolve: &dyn Fn(&str) -> Option<String>) -> Result<Model, Vec<ModelError>> {
    let mut shared = Shared {
        model: CoreModel::empty(),
        names: BTreeMap::new(),
        errors: Vec::new(),
        resolve,
        chain: Vec::new(),
        included: 0,
    };
    read(text, None, &mut shared);
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
    pub(super) names: BTreeMap<String, (usize, Nature)>,
    errors: Vec<ModelError>,
    resolve: &'r dyn Fn(&str) -> Option<String>,
    /// Names of the files being read, outermost first.
    chain: Vec<String>,
    /// How many files have been included.
    included: usize,
}

fn read(text: &str, file: Option<&str>, shared: &mut Shared<'_>) {
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
    text: &'t str,
    file: Option<&'t str>,
    tokens: Vec<Token<'t>>,
    next: usize,
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
                    _ => Some(format!("statements begin with {}", KEYWORDS[1..11].join(", "))),
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
        if model.definitions.len() + model.orders.len() + model.requirements.len() >= MOST_STATEMENTS {
            let place = self.tokens[self.next - 1].place.clone();
            let message = format!("a model has at most {MOST_STATEMENTS} names, orders and requirements");
            self.error(place, message, None);
            self.next = self.tokens.len() - 1;
            return None;
        }
        match keyword {
            "include" => self.include(),
            "rules" | "without" => self.rules(keyword == "rules"),
            "switch" => self.switch(),
            "accesses" => self.accesses(),
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

    fn include(&mut self) -> Option<()> {
        let place = self.place();
        let name = self.named_text("the name of a model")?;
        if self.shared.chain.iter().any(|open| open == name) {
            self.error(place, format!("`{name}` includes itself"), None);
            return None;
        }
        if self.shared.chain.len() >= LONGEST_CHAIN || self.shared.included >= 64 {
            self.error(place, "too many models include each other".into(), None);
            return None;
        }
        let Some(text) = (self.shared.resolve)(name).or_else(|| shipped::text(name).map(str::to_owned))
        else {
            let hint = nearest(name, shipped::core_names()).map(|near| format!("did you mean \"{near}\"?"));
            self.error(place, format!("there is no model \"{name}\""), hint);
            return None;
        };
        self.shared.chain.push(name.to_owned());
        self.shared.included += 1;
        read(&text, Some(name), self.shared);
        self.shared.chain.pop();
        Some(())
    }

    fn rules(&mut self, on: bool) -> Option<()> {
        let mut some = false;
        while let Kind::Word(word) = self.kind()
            && !KEYWORDS.contains(&word)
        {
            let place = self.place();
            self.advance();
            some = true;
            if let Some(&rule) = Rule::ALL.iter().find(|rule| rule.name() == word) {
                if on {
                    self.shared.model.rules.insert(rule);
                } else if rule == Rule::NoC {
                    self.error(
                        place,
                        "rule no-C cannot be switched off: reads would have no values".into(),
                        None,
                    );
                } else {
                    self.shared.model.rules.remove(rule);
                }
            } else if on && word == "all" {
                self.shared.model.rules = Rules::all();
            } else {
                let hint =
                    nearest(word, Rule::ALL.map(Rule::name)).map(|near| format!("did you mean `{near}`?"));
                self.error(place, format!("there is no rule `{word}`"), hint);
            }
        }
        if !some {
            let names = Rule::ALL.map(Rule::name).join(" ");
            self.error_here("expected a rule".into(), Some(format!("rules are {names}")));
            return None;
        }
        Some(())
    }

    fn switch(&mut self) -> Option<()> {
        let place = self.place();
        let names = Switch::ALL.map(Switch::name);
        let Kind::Word(word) = self.kind() else {
            self.error_here(
                "expected a switch".into(),
                Some(format!("switches are {}", names.join(", "))),
            );
            return None;
        };
        self.advance();
        let Some(&switch) = Switch::ALL.iter().find(|switch| switch.name() == word) else {
            let hint = nearest(word, names).map_or_else(
                || format!("switches are {}", names.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            self.error(place, format!("there is no switch `{word}`"), Some(hint));
            return None;
        };
        let off = self.kind() == Kind::Word("off");
        if off || self.kind() == Kind::Word("on") {
            self.advance();
        }
        self.shared.model.switches.set(switch, !off);
        Some(())
    }

    fn accesses(&mut self) -> Option<()> {
        let atomicity = match self.kind() {
            Kind::Word("atomic") => Atomicity::Atomic,
            Kind::Word("nonatomic") => Atomicity::NonAtomic,
            _ => {
                self.error_here("expected `atomic` or `nonatomic`".into(), None);
                return None;
            }
        };
        self.advance();
        self.shared.model.accesses = Some(atomicity);
        Some(())
    }

    fn definition(&mut self) -> Option<()> {
        let place = self.place();
        let Kind::Word(name) = self.kind() else {
            self.error_here("expected a name".into(), None);
            return None;
        };
        self.advance();
        if name == "rec" {
            let hint = "the closures `r+` and `r*` say what recursion would";
            self.error(place, "there is no recursion".into(), Some(hint.into()));
            return None;
        }
        if KEYWORDS.contains(&name) || is_builtin(name) || self.shared.names.contains_key(name) {
            self.error(
                place,
                format!("`{name}` has a meaning already"),
                Some("take another name".into()),
            );
            return None;
        }
        if !self.take_symbol("=") {
            self.error_here("expected `=`".into(), None);
            return None;
        }
        let Read {
            expression, nature, ..
        } = self.expression()?;
        let index = self.shared.model.definitions.len();
        self.shared.model.definitions.push(expression);
        self.shared.names.insert(name.to_owned(), (index, nature));
        Some(())
    }

    fn order(&mut self) -> Option<()> {
        let read = self.expression()?;
        let name = self.title("order")?;
        if read.nature.type_ == Type::Set {
            self.error(
                read.place,
                "an order is a relation; this is a set".into(),
                Some("`S * T` relates all of S to all of T".into()),
            );
            return None;
        }
        if !read.nature.grows {
            self.error(
                read.place,
                "an order must grow with hb: hb stands to the right of `\\` here".into(),
                Some("say it as a requirement: `empty`, `irreflexive`, `acyclic`".into()),
            );
            return None;
        }
        self.shared.model.orders.push(Ordering {
            name,
            expression: read.expression,
            dynamic: read.nature.dynamic,
        });
        Some(())
    }

    fn requirement(&mut self, kind: RequirementKind) -> Option<()> {
        let read = self.expression()?;
        let name = self.title(kind.name())?;
        if read.nature.type_ == Type::Set && kind != RequirementKind::Empty {
            self.error(
                read.place,
                format!("`{}` needs a relation; this is a set", kind.name()),
                None,
            );
            return None;
        }
        self.shared.model.requirements.push(Requirement {
            name,
            kind,
            expression: read.expression,
            dynamic: read.nature.dynamic,
        });
        Some(())
    }

    /// `as NAME`, or a name by number.
    fn title(&mut self, kind: &str) -> Option<String> {
        if self.kind() != Kind::Word("as") {
            let model = &self.shared.model;
            return Some(format!(
                "{kind} {}",
                model.orders.len() + model.requirements.len() + 1
            ));
        }
        self.advance();
        Some(self.named_text("a name")?.to_owned())
    }

    /// A name, in quotes or as a word.
    fn named_text(&mut self, what: &str) -> Option<&'t str> {
        match self.kind() {
            Kind::Text(name) => {
                self.advance();
                Some(name)
            }
            Kind::Word(name) if !KEYWORDS.contains(&name) => {
                self.advance();
                Some(name)
            }
            _ => {
                self.error_here(format!("expected {what}"), None);
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

    pub(super) fn kind(&self) -> Kind<'t> {
        self.tokens[self.next].kind
    }

    /// The token after the one at hand.
    pub(super) fn after(&self) -> Kind<'t> {
        self.tokens
            .get(self.next + 1)
            .map_or(Kind::End, |token| token.kind)
    }

    pub(super) fn place(&self) -> Range<usize> {
        self.tokens[self.next].place.clone()
    }

    pub(super) fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.kind(), Kind::Symbol(found) if found == symbol)
    }

    pub(super) fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn error(&mut self, place: Range<usize>, message: String, hint: Option<String>) {
        if self.shared.errors.len() < MOST_ERRORS {
            self.shared
                .errors
                .push(ModelError::new(self.file, self.text, place, message, hint));
        }
    }

    /// An error at the token at hand.
    pub(super) fn error_here(&mut self, message: String, hint: Option<String>) {
        let found = match self.kind() {
            Kind::Word(word) if word.len() <= 40 => format!(", found `{word}`"),
            Kind::Symbol(symbol) => format!(", found `{symbol}`"),
            Kind::End => ", found the end".into(),
            Kind::Word(_) | Kind::Text(_) => String::new(),
        };
        let place = self.place();
        self.error(place, message + &found, hint);
    }
}
