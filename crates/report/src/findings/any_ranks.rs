//! What is said of any number of ranks, in words: what the forms for people share.

use crate::findings::phrases::{self, place};
use farside_findings::{AnyRanks, AnyRanksVerdict, Place};

/// The head of the section.
pub(crate) const TITLE: &str = "Any number of ranks";

/// The answer, in a sentence without its end.
pub(crate) fn sentence(found: &AnyRanks) -> String {
    match &found.verdict {
        AnyRanksVerdict::Proved => {
            format!("proved: no race for every number of ranks (n >= {})", found.least)
        }
        AnyRanksVerdict::Found {
            processes,
            ranks,
            rule,
        } => {
            let what = if rule.is_race() { "race" } else { "error" };
            let wrong = if found.refuted {
                " (that there is none was proved wrongly: a bug of farside)"
            } else {
                ""
            };
            format!("{what} at n = {processes}, {}{wrong}", phrases::ranks(ranks))
        }
        AnyRanksVerdict::NotProved { one, other, reason } => {
            let pair = match one == other {
                true => shown(one.as_ref()),
                false => format!("{} and {}", shown(one.as_ref()), shown(other.as_ref())),
            };
            format!("not proved: {pair}: {reason}")
        }
        AnyRanksVerdict::Outside { place, reason } => {
            format!("outside of the class: {}: {reason}", shown(place.as_ref()))
        }
    }
}

/// Whether it is an answer: a proof, or findings.
pub(crate) fn is_answer(found: &AnyRanks) -> bool {
    matches!(
        found.verdict,
        AnyRanksVerdict::Proved | AnyRanksVerdict::Found { .. }
    )
}

fn shown(known: Option<&Place>) -> String {
    known.map_or_else(|| "the program".to_owned(), place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_findings::Rule;

    fn said(verdict: AnyRanksVerdict) -> String {
        sentence(&AnyRanks::of(verdict, 2))
    }

    #[test]
    fn each_answer_has_its_sentence() {
        let place = |line| {
            Some(Place {
                file: "exchange.c".to_owned(),
                line,
                column: Some(5),
            })
        };
        assert_eq!(
            said(AnyRanksVerdict::Proved),
            "proved: no race for every number of ranks (n >= 2)"
        );
        let found = |rule| AnyRanksVerdict::Found {
            processes: 3,
            ranks: vec![0, 2],
            rule,
        };
        assert_eq!(said(found(Rule::RemoteRace)), "race at n = 3, ranks 0, 2");
        assert_eq!(said(found(Rule::Deadlock)), "error at n = 3, ranks 0, 2");
        let reason = || "the target depends on what was received".to_owned();
        let outside = AnyRanksVerdict::Outside {
            place: place(41),
            reason: reason(),
        };
        assert_eq!(
            said(outside),
            "outside of the class: exchange.c:41:5: the target depends on what was received"
        );
        let pair = AnyRanksVerdict::NotProved {
            one: place(3),
            other: None,
            reason: reason(),
        };
        assert_eq!(
            said(pair),
            "not proved: exchange.c:3:5 and the program: the target depends on what was received"
        );
    }
}
