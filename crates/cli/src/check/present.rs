//! The report in the chosen form, to the chosen places.

use super::settings::Settings;
use crate::fault::Fault;
use crate::fix;
use crate::options::{Color, Format};
use crate::output::Destination;
use farside_check::Checked;
use farside_findings::{Place, Report};
use farside_report::Color as Shade;
use farside_report::findings::{Repairs, Sources, html, json, sarif, text};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Writes the report, and the additional HTML page.
///
/// What cannot be written where it should go is shown on stdout as text, so that the result of a long run is not lost.
pub(super) fn present(checked: &Checked, settings: &Settings) -> Result<(), Fault> {
    let files = SourceFiles::default();
    show_with(
        checked.report(),
        &|place| checked.source_line(place, files.line(place)),
        settings.format,
        &settings.output,
        settings.html.as_ref(),
        settings.color,
    )
}

/// Writes a report in a form to a place, and a page to another, with source lines of this machine.
pub(crate) fn show(
    report: &Report,
    format: Format,
    output: &Destination,
    page: Option<&Destination>,
    color: Color,
) -> Result<(), Fault> {
    let files = SourceFiles::default();
    show_with(report, &|place| files.line(place), format, output, page, color)
}

fn show_with(
    report: &Report,
    sources: Sources<'_>,
    format: Format,
    output: &Destination,
    page: Option<&Destination>,
    color: Color,
) -> Result<(), Fault> {
    let color = text_color(color, output);
    let repairs: Repairs<'_> = &|finding| fix::changes(report, finding);
    let body = match format {
        Format::Text => text::render(report, color, sources),
        Format::Json => json::render(report),
        Format::Sarif => sarif::render_with_repairs(report, sources, repairs),
        Format::Html => html::render_with_repairs(report, sources, repairs),
    };
    let mut result = output.write(&body);
    if result.is_err() {
        let _ = crate::output::print(&text::render(report, Shade::Never, sources));
    }
    if let Some(page) = page {
        result = result.and(page.write(&html::render_with_repairs(report, sources, repairs)));
    }
    result
}

/// Whether text for a place is coloured.
pub(crate) fn text_color(color: Color, output: &Destination) -> Shade {
    let wanted = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
            !refused && matches!(output, Destination::Stdout) && std::io::stdout().is_terminal()
        }
    };
    if wanted { Shade::Always } else { Shade::Never }
}

/// Source files, read once when a report asks for their lines.
#[derive(Default)]
pub(crate) struct SourceFiles {
    /// Where relative names begin; empty: here.
    folder: PathBuf,
    lines: RefCell<HashMap<String, Vec<String>>>,
}

impl SourceFiles {
    /// Larger files are no source code.
    const LIMIT: u64 = 16 << 20;

    /// Those below a folder.
    pub(crate) fn below(folder: PathBuf) -> Self {
        Self {
            folder,
            ..Self::default()
        }
    }

    /// A line of one of them.
    pub(crate) fn line(&self, place: &Place) -> Option<String> {
        let mut files = self.lines.borrow_mut();
        let lines = files
            .entry(place.file.clone())
            .or_insert_with(|| read_lines(&self.folder.join(&place.file)));
        let index = usize::try_from(place.line).ok()?.checked_sub(1)?;
        lines.get(index).cloned()
    }
}

fn read_lines(path: &Path) -> Vec<String> {
    // The path comes from the checked program: a device or pipe must not block us.
    let is_source = std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= SourceFiles::LIMIT);
    let bytes = if is_source {
        std::fs::read(path).unwrap_or_default()
    } else {
        Vec::new()
    };
    String::from_utf8_lossy(&bytes)
        .lines()
        .map(str::to_string)
        .collect()
}
