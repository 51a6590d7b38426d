//! The statements of a model file.

use super::super::error::nearest;
use super::super::lexer::Kind;
use super::super::shipped;
use super::expression::{Read, Type, is_builtin};
use super::{KEYWORDS, LONGEST_CHAIN, Parser, races, read};
use crate::core_rma::expression::{Ordering, Requirement, RequirementKind};
use crate::core_rma::{Completion, Rule, Rules, Switch};
use crate::mpi3::rules::RuleName;
use farside_litmus::ast::Atomicity;

impl<'t> Parser<'t, '_, '_> {
    pub(super) fn include(&mut self) -> Option<()> {
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
            let hint = nearest(name, shipped::file_names()).map(|near| format!("did you mean \"{near}\"?"));
            self.error(place, format!("there is no model \"{name}\""), hint);
            return None;
        };
        self.shared.chain.push(name.to_owned());
        self.shared.included += 1;
        read(&text, Some(name), self.shared);
        self.shared.chain.pop();
        Some(())
    }

    pub(super) fn rules(&mut self, on: bool) -> Option<()> {
        let mut some = false;
        while let Kind::Word(word) = self.kind()
            && !KEYWORDS.contains(&word)
        {
            let place = self.place();
            self.advance();
            some = true;
            if self.shared.races.is_some() {
                self.rule_of_races(word, place, on);
            } else if let Some(&rule) = Rule::ALL.iter().find(|rule| rule.name() == word) {
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
            let names = match self.shared.races {
                Some(_) => RuleName::ALL.map(|(_, word)| word).join(" "),
                None => Rule::ALL.map(Rule::name).join(" "),
            };
            self.error_here("expected a rule".into(), Some(format!("rules are {names}")));
            return None;
        }
        Some(())
    }

    pub(super) fn switch(&mut self) -> Option<()> {
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

    pub(super) fn accesses(&mut self) -> Option<()> {
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

    pub(super) fn completion(&mut self) -> Option<()> {
        let names = Completion::ALL.map(Completion::name);
        let found = match self.kind() {
            Kind::Word(word) => Completion::ALL
                .into_iter()
                .find(|completion| completion.name() == word),
            _ => None,
        };
        let Some(completion) = found else {
            self.error_here(format!("expected `{}`", names.join("` or `")), None);
            return None;
        };
        self.advance();
        self.shared.model.completion = completion;
        Some(())
    }

    pub(super) fn definition(&mut self) -> Option<()> {
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
        let of_races = self.shared.races.is_some();
        let known = if of_races {
            races::is_builtin(name) || self.shared.terms.contains_key(name)
        } else {
            is_builtin(name) || self.shared.names.contains_key(name)
        };
        if KEYWORDS.contains(&name) || known {
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
        if of_races {
            return self.define_term(name);
        }
        let Read {
            expression, nature, ..
        } = self.expression()?;
        let index = self.shared.model.definitions.len();
        self.shared.model.definitions.push(expression);
        self.shared.names.insert(name.to_owned(), (index, nature));
        Some(())
    }

    pub(super) fn order(&mut self) -> Option<()> {
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

    pub(super) fn requirement(&mut self, kind: RequirementKind) -> Option<()> {
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
    pub(super) fn title(&mut self, kind: &str) -> Option<String> {
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
}
