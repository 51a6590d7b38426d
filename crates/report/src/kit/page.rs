//! A page of HTML that needs nothing else: no network, no fonts, in light and dark, readable on a small screen.
//!
//! Promise: a content security policy forbids all loading, and every script but the one whose hash is given. The title
//! is escaped (by `maud`), as is everything in a body that `maud` made.
//!
//! Limit: styles are not escaped, and must not come from a checked program.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The look that all pages have in common.
const BASE: &str = include_str!("base.css");

/// The top of a page: who says it, and what it is about.
pub(crate) fn top(tool: &str, title: &str) -> Markup {
    html! { header.top { div.wide { p.tool { (tool) } h1 { (title) } } } }
}

/// A page.
#[derive(Clone, Debug)]
pub(crate) struct Page<'p> {
    /// What a browser shows on its tab.
    pub(crate) title: &'p str,
    /// Style sheets, one after the other; they come after what all pages have in common.
    pub(crate) styles: &'p [&'p str],
    /// The hash of the script that may run: SHA-256, in base 64. `None`: none may.
    pub(crate) script_hash: Option<&'p str>,
    /// What stands in `body`.
    pub(crate) body: Markup,
}

impl Page<'_> {
    /// The page as text.
    #[must_use]
    pub(crate) fn render(&self) -> String {
        let script = self
            .script_hash
            .map_or_else(String::new, |hash| format!("; script-src 'sha256-{hash}'"));
        let policy = format!("default-src 'none'; style-src 'unsafe-inline'{script}");
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) }
                    style { (PreEscaped(BASE)) @for style in self.styles { (PreEscaped(style)) } }
                }
                body { (self.body) }
            }
        };
        page.into_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_loaded_and_no_script_runs_but_one_that_is_known() {
        let page = |script_hash| Page {
            title: "a < b",
            styles: &["p { margin: 0 }", "h1 { margin: 0 }"],
            script_hash,
            body: html! { p { "x" } },
        };
        let none = page(None).render();
        assert!(none.starts_with("<!DOCTYPE html>"));
        assert!(
            none.contains(r#"content="default-src 'none'; style-src 'unsafe-inline'""#),
            "{none}"
        );
        assert!(none.contains("<title>a &lt; b</title>"));
        assert!(none.contains("p { margin: 0 }h1 { margin: 0 }</style>"));
        assert!(none.ends_with("<body><p>x</p></body></html>"));
        assert!(
            page(Some("abc="))
                .render()
                .contains("; script-src 'sha256-abc='\"")
        );
    }
}
