//! Synchronisation that was not needed, as a table.

use crate::findings::phrases::capitalised;
use crate::findings::superfluous::{narrower, row, summary, title, unseen};
use farside_findings::{Superfluous, Unneeded};
use maud::{Markup, html};

/// The section of a page.
pub(super) fn section(found: &Superfluous) -> Markup {
    html! {
        section.overview {
            h2 { (title(found)) }
            p { (capitalised(&summary(found))) "." }
            (table(&found.calls, found))
            @if !found.instead.is_empty() {
                p { "Each of these can go only if one of those stays:" }
                (table(&found.instead, found))
            }
            @if !found.narrower.is_empty() {
                ul { @for call in &found.narrower { li { (narrower(call, found)) "." } } }
            }
            @if !found.calls.is_empty() {
                @for sentence in unseen(found) { p.faint { (sentence) } }
            }
        }
    }
}

fn table(calls: &[Unneeded], found: &Superfluous) -> Markup {
    html! {
        @if !calls.is_empty() {
            table {
                thead {
                    tr { th { "Time" } th { "Of the run" } th { "Calls" } th { "What" } th { "Change" } th { "Known" } }
                }
                tbody {
                    @for call in calls {
                        @let [time, share, number, what, change, holds] = row(call, found);
                        tr {
                            td.number { (time) }
                            td.number { (share) }
                            td.number { (number) }
                            td { code { (what) } }
                            td { (capitalised(&change)) }
                            td { (capitalised(&holds)) }
                        }
                    }
                }
            }
        }
    }
}
