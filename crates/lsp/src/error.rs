//! Why the server ends otherwise than the editor asks.

/// Why the server ended otherwise than the editor asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The editor broke the protocol, or is gone.
    #[error("the editor does not speak the language server protocol: {0}")]
    Protocol(#[from] lsp_server::ProtocolError),
    /// A line that is no header of a message.
    #[error(
        "the editor does not speak the language server protocol: `{line}` is no header of a message",
        line = .0.trim_end()
    )]
    Header(String),
    /// A message without its length.
    #[error("the editor does not speak the language server protocol: a message has no Content-Length")]
    NoLength,
    /// A message that ends too early.
    #[error(
        "the editor does not speak the language server protocol: a message of {announced} bytes was announced, \
         and {found} came"
    )]
    Short {
        /// By its header.
        announced: u64,
        /// What came until the end.
        found: usize,
    },
    /// Bytes that are no message.
    #[error("the editor does not speak the language server protocol: what it sent is no message: {0}")]
    Message(String),
    /// Reading or writing failed.
    #[error("cannot talk to the editor: {0}")]
    Unreachable(#[from] std::io::Error),
    /// The editor is gone.
    #[error("the editor is gone")]
    Gone,
}
