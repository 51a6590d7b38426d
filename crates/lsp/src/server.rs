//! Messages of the editor, and what is answered.

use crate::error::Error;
use crate::lint::Repairs;
use crate::wire::Wire;
use crate::{lint, texts};
use farside_findings::Report;
use lsp_server::{Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, LogMessage,
    Notification as _, PublishDiagnostics,
};
use lsp_types::request::{CodeActionRequest, CodeLensRequest, HoverRequest, Request as _};
use lsp_types::{
    CodeActionOrCommand, CodeActionParams, CodeActionProviderCapability, CodeLensOptions, CodeLensParams,
    Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, Hover, HoverContents, HoverParams, HoverProviderCapability, LogMessageParams,
    MarkupContent, MarkupKind, MessageType, PublishDiagnosticsParams, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    Url,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Serves the editor at stdin and stdout until it ends the session. `lint` makes the command that looks at one more
/// argument, a source or a compilation database, and writes its report as JSON; `repairs` reads the sources.
///
/// # Errors
/// The editor is gone, or breaks the protocol.
pub fn serve(lint: impl Fn() -> Command + Send + 'static, repairs: Repairs) -> Result<(), Error> {
    let (connection, wire) = Wire::open()?;
    // What these say is valid JSON.
    let offered = serde_json::to_value(capabilities()).unwrap_or_default();
    if let Err(error) = connection.initialize(offered) {
        // What came before was no beginning, or none came: then the reader knows why.
        if error.channel_is_disconnected() {
            wire.why_it_ended()?;
            return Err(Error::Gone);
        }
        return Err(error.into());
    }
    let editor = Editor(connection.sender.clone());
    let reports = Reports::default();
    let (files, asked) = channel();
    let looking = (editor.clone(), reports.clone());
    std::thread::spawn(move || look(&asked, &lint, &looking));
    let mut server = Server {
        editor,
        reports,
        repairs,
        files,
        texts: HashMap::new(),
    };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    break;
                }
                server.answer(request)?;
            }
            Message::Notification(notification) => server.hear(notification)?,
            Message::Response(_) => {}
        }
    }
    drop(server);
    drop(connection);
    wire.close()
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions::default())),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        ..ServerCapabilities::default()
    }
}

/// Whom messages go to.
#[derive(Clone)]
struct Editor(crossbeam_channel::Sender<Message>);

impl Editor {
    fn tell<N: lsp_types::notification::Notification>(&self, params: N::Params) -> Result<(), Error> {
        let note = Notification::new(N::METHOD.to_owned(), params);
        self.0.send(Message::Notification(note)).map_err(|_| Error::Gone)
    }

    fn publish(&self, uri: Url, diagnostics: Vec<Diagnostic>) -> Result<(), Error> {
        let version = None;
        self.tell::<PublishDiagnostics>(PublishDiagnosticsParams {
            uri,
            diagnostics,
            version,
        })
    }

    fn reply(&self, id: RequestId, result: impl Serialize) -> Result<(), Error> {
        let response = Response::new_ok(id, result);
        self.0.send(Message::Response(response)).map_err(|_| Error::Gone)
    }
}

/// The last report of each file or database that was looked at.
#[derive(Clone, Default)]
struct Reports(Arc<Mutex<BTreeMap<PathBuf, Report>>>);

impl Reports {
    fn all(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Report>> {
        // Whoever panicked has put in a whole report, or none.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks at files, one at a time, as long as some may come. Of a file that comes twice meanwhile the last one counts.
fn look(asked: &Receiver<PathBuf>, lint: &impl Fn() -> Command, (editor, reports): &(Editor, Reports)) {
    let mut shown: HashMap<PathBuf, BTreeSet<PathBuf>> = HashMap::new();
    while let Ok(first) = asked.recv() {
        let waiting: BTreeSet<PathBuf> = std::iter::once(first).chain(asked.try_iter()).collect();
        for file in waiting {
            let told = match lint::report(lint(), &file) {
                Ok(report) => show(
                    editor,
                    reports,
                    (file.clone(), report),
                    shown.entry(file).or_default(),
                ),
                // It does not compile, say: what was found last stays.
                Err(why) => editor.tell::<LogMessage>(LogMessageParams {
                    typ: MessageType::INFO,
                    message: why,
                }),
            };
            if told.is_err() {
                return;
            }
        }
    }
}

/// Shows a report, and takes away what the last one of this file has shown in other files.
fn show(
    editor: &Editor,
    reports: &Reports,
    (file, report): (PathBuf, Report),
    shown: &mut BTreeSet<PathBuf>,
) -> Result<(), Error> {
    let mut found = lint::diagnostics(&report);
    found.entry(file.clone()).or_default();
    for old in std::mem::take(shown) {
        found.entry(old).or_default();
    }
    reports.all().insert(file, report);
    for (file, diagnostics) in found {
        if !diagnostics.is_empty() {
            shown.insert(file.clone());
        }
        if let Ok(url) = Url::from_file_path(&file) {
            editor.publish(url, diagnostics)?;
        }
    }
    Ok(())
}

struct Server {
    editor: Editor,
    reports: Reports,
    repairs: Repairs,
    /// What is to be looked at.
    files: Sender<PathBuf>,
    /// Litmus tests and programs of the calculus that are open.
    texts: HashMap<Url, String>,
}

impl Server {
    fn hear(&mut self, note: Notification) -> Result<(), Error> {
        match note.method.as_str() {
            DidOpenTextDocument::METHOD => match params::<DidOpenTextDocumentParams>(note.params) {
                Some(opened) => self.opened(opened.text_document.uri, opened.text_document.text),
                None => Ok(()),
            },
            DidChangeTextDocument::METHOD => {
                let changed = params::<DidChangeTextDocumentParams>(note.params);
                let text = changed.and_then(|mut changed| {
                    Some((changed.text_document.uri, changed.content_changes.pop()?.text))
                });
                match text {
                    Some((url, text)) if self.texts.contains_key(&url) => self.typed(url, text),
                    _ => Ok(()),
                }
            }
            DidSaveTextDocument::METHOD => {
                if let Some(saved) = params::<DidSaveTextDocumentParams>(note.params) {
                    self.look_at(&saved.text_document.uri);
                }
                Ok(())
            }
            DidCloseTextDocument::METHOD => {
                if let Some(closed) = params::<DidCloseTextDocumentParams>(note.params) {
                    self.texts.remove(&closed.text_document.uri);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn opened(&mut self, url: Url, text: String) -> Result<(), Error> {
        match texts::errors(&url, &text) {
            Some(_) => self.typed(url, text),
            None => {
                self.look_at(&url);
                Ok(())
            }
        }
    }

    fn typed(&mut self, url: Url, text: String) -> Result<(), Error> {
        let errors = texts::errors(&url, &text).unwrap_or_default();
        self.texts.insert(url.clone(), text);
        self.editor.publish(url, errors)
    }

    fn look_at(&self, url: &Url) {
        let file = url.to_file_path().ok();
        if let Some(file) = file.filter(|file| lint::is_source(file)) {
            // Who looks ends with the server only.
            let _ = self.files.send(lint::asked(&file));
        }
    }

    fn answer(&self, request: Request) -> Result<(), Error> {
        let Request {
            id,
            method,
            params: given,
        } = request;
        match method.as_str() {
            HoverRequest::METHOD => self
                .editor
                .reply(id, params(given).and_then(|asked| self.hover(&asked))),
            CodeActionRequest::METHOD => {
                let actions = params(given)
                    .map(|asked| self.actions(&asked))
                    .unwrap_or_default();
                self.editor.reply(id, actions)
            }
            CodeLensRequest::METHOD => {
                let url = params::<CodeLensParams>(given).map(|asked| asked.text_document.uri);
                let lenses = url.and_then(|url| Some(texts::lenses(&url, self.texts.get(&url)?)));
                self.editor.reply(id, lenses.unwrap_or_default())
            }
            _ => {
                let unknown = lsp_server::ErrorCode::MethodNotFound as i32;
                let response = Response::new_err(id, unknown, format!("{method} is not served"));
                self.editor
                    .0
                    .send(Message::Response(response))
                    .map_err(|_| Error::Gone)
            }
        }
    }

    fn hover(&self, asked: &HoverParams) -> Option<Hover> {
        let at = &asked.text_document_position_params;
        let file = at.text_document.uri.to_file_path().ok()?;
        let reports = self.reports.all();
        let mut told = reports
            .values()
            .filter_map(|report| lint::explained(report, &file, at.position.line));
        let value = told.next()?;
        let kind = MarkupKind::Markdown;
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent { kind, value }),
            range: None,
        })
    }

    fn actions(&self, asked: &CodeActionParams) -> Vec<CodeActionOrCommand> {
        let Ok(file) = asked.text_document.uri.to_file_path() else {
            return Vec::new();
        };
        let file: &Path = &file;
        let reports = self.reports.all();
        let actions = reports
            .values()
            .flat_map(|report| lint::actions(report, self.repairs, file, asked.range));
        actions.map(CodeActionOrCommand::CodeAction).collect()
    }
}

/// The parameters of a message; `None` if they are not what the protocol says.
fn params<T: DeserializeOwned>(given: serde_json::Value) -> Option<T> {
    serde_json::from_value(given).ok()
}
