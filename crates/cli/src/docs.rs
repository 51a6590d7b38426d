//! `farside docs`: the book and the playground in a browser.

use crate::fault::Fault;
use crate::output::{complain, print};
use crate::status::Status;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Folder of the book, for installations of another shape.
const FOLDER_VARIABLE: &str = "FARSIDE_DOCS";

/// `farside docs`.
#[derive(Debug, Args)]
pub(crate) struct DocsArguments {
    /// What to open; both without it
    #[arg(value_enum)]
    part: Option<Part>,
    /// Print where the pages are, and open nothing
    #[arg(long)]
    print: bool,
}

/// What can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The manual, with its search
    Book,
    /// Litmus tests and programs of the calculus, judged as they are typed
    Playground,
}

impl Part {
    /// Its first page, in the folder of the book.
    fn page(self) -> &'static str {
        match self {
            Self::Book => "index.html",
            Self::Playground => "playground/index.html",
        }
    }
}

/// Opens what is asked for.
pub(crate) fn run(arguments: &DocsArguments) -> Status {
    match open(arguments) {
        Ok(()) => Status::Clean,
        Err(fault) => {
            complain(&fault);
            Status::Usage
        }
    }
}

fn open(arguments: &DocsArguments) -> Result<(), Fault> {
    let parts = arguments
        .part
        .map_or(vec![Part::Book, Part::Playground], |part| vec![part]);
    let pages = parts.into_iter().map(|part| find(part.page()));
    let pages = pages.collect::<Result<Vec<_>, _>>()?;
    if arguments.print {
        let lines: Vec<String> = pages.iter().map(|page| format!("{}\n", page.display())).collect();
        return print(&lines.concat());
    }
    // A browser that was not running yet ends when its window is closed: all pages are opened before any is waited for.
    let started: Vec<_> = pages.iter().map(|page| show(page)).collect();
    for (page, started) in pages.iter().zip(started) {
        let failed = |why| Fault::NotOpened(page.clone(), why);
        let status = started.and_then(|mut browser| browser.wait());
        match status.map_err(|error| failed(error.to_string()))? {
            status if status.success() => {}
            status => return Err(failed(format!("the browser ended with {status}"))),
        }
    }
    Ok(())
}

/// A page, where a package has it or where `make site` puts it.
fn find(page: &'static str) -> Result<PathBuf, Fault> {
    let folders = folders();
    let mut found = folders.iter().map(|folder| folder.join(page));
    found.find(|path| path.is_file()).ok_or_else(|| {
        let places: Vec<_> = folders
            .iter()
            .map(|folder| folder.display().to_string())
            .collect();
        let places = places.join(", ");
        Fault::PageMissing { page, places }
    })
}

fn folders() -> Vec<PathBuf> {
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()) {
        return vec![folder.into()];
    }
    let program = std::env::current_exe().and_then(std::fs::canonicalize);
    let above = program
        .ok()
        .and_then(|program| Some(program.parent()?.parent()?.to_path_buf()));
    let beside = |above: PathBuf| [above.join("share/doc/farside/book"), above.join("book")];
    above.map_or_else(Vec::new, |above| beside(above).into())
}

/// Opens a page by the browser that the user has set, or by what the desktop does with pages.
fn show(page: &Path) -> std::io::Result<Child> {
    let browser = std::env::var_os("BROWSER").filter(|browser| !browser.is_empty());
    Command::new(browser.unwrap_or_else(|| OsString::from("xdg-open")))
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
}
