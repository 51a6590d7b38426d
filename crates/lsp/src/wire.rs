//! Messages of the editor at stdin, and to it at stdout: headers, a blank line, and so many bytes of JSON.
//!
//! Promise: whatever comes is a message, or an error that says what is wrong with it. Memory is taken for what has
//! come, not for what a header announces.

use crate::error::Error;
use lsp_server::{Connection, Message};
use std::io::{self, BufRead, Read as _};
use std::thread::JoinHandle;

/// The threads that read and write.
pub(crate) struct Wire {
    reader: JoinHandle<Result<(), Error>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Wire {
    /// Connects to the editor at stdin and stdout.
    ///
    /// # Errors
    /// The system starts no thread.
    pub(crate) fn open() -> Result<(Connection, Self), Error> {
        let (to_us, receiver) = crossbeam_channel::bounded(0);
        let (sender, to_editor) = crossbeam_channel::bounded::<Message>(0);
        let writer = std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || {
                let mut stdout = io::stdout().lock();
                to_editor
                    .into_iter()
                    .try_for_each(|message| message.write(&mut stdout))
            })?;
        let reader = std::thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || {
                let mut stdin = io::stdin().lock();
                while let Some(message) = read(&mut stdin)? {
                    let is_last =
                        matches!(&message, Message::Notification(notification) if notification.method == "exit");
                    // Nobody listens any more: the session is over.
                    if to_us.send(message).is_err() || is_last {
                        break;
                    }
                }
                Ok(())
            })?;
        Ok((Connection { sender, receiver }, Self { reader, writer }))
    }

    /// What was wrong with the messages of the editor, if it has ended, or broken off.
    pub(crate) fn why_it_ended(self) -> Result<(), Error> {
        // A panic of a thread was told by itself.
        self.reader.join().unwrap_or(Ok(()))
    }

    /// Waits until all is read and written.
    pub(crate) fn close(self) -> Result<(), Error> {
        self.reader.join().unwrap_or(Ok(()))?;
        self.writer.join().unwrap_or(Ok(()))?;
        Ok(())
    }
}

/// The next message; `None` at the end.
fn read(from: &mut impl BufRead) -> Result<Option<Message>, Error> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        // A line that does not end is no header: so much is enough to see that.
        if from.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let shown = || String::from_utf8_lossy(&line[..line.len().min(SHOWN)]).into_owned();
        let Some(header) = line.strip_suffix(b"\r\n") else {
            return Err(Error::Header(shown()));
        };
        if header.is_empty() {
            break;
        }
        let header = std::str::from_utf8(header)
            .ok()
            .and_then(|header| header.split_once(':'));
        let Some((name, value)) = header else {
            return Err(Error::Header(shown()));
        };
        if name.eq_ignore_ascii_case("Content-Length") {
            length = Some(value.trim().parse().map_err(|_| Error::Header(shown()))?);
        }
    }
    let announced: u64 = length.ok_or(Error::NoLength)?;
    let mut text = Vec::new();
    from.by_ref().take(announced).read_to_end(&mut text)?;
    if (text.len() as u64) < announced {
        let found = text.len();
        return Err(Error::Short { announced, found });
    }
    serde_json::from_slice(&text)
        .map(Some)
        .map_err(|error| Error::Message(error.to_string()))
}

/// Longest line of a header, in bytes.
const LONGEST_HEADER: u64 = 4096;

/// Bytes of a wrong header that are shown.
const SHOWN: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    fn said(mut text: &[u8]) -> String {
        match read(&mut text) {
            Ok(message) => format!("{message:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, why) in [
            (
                &b"Content-Length: 99999999999999\r\n\r\n{}"[..],
                "99999999999999 bytes was announced, and 2 came",
            ),
            (b"Content-Length: 2\r\n\r\n{}", "no message"),
            (b"Content-Length: 3\r\n\r\n\xff\xff\xff", "no message"),
            (b"Content-Length: many\r\n\r\n{}", "Content-Length: many"),
            (b"Content-Length: -1\r\n\r\n{}", "Content-Length: -1"),
            (b"Accept: x\r\n\r\n{}", "no Content-Length"),
            (b"hello\n", "hello"),
            (&[b'x'; 10_000], "xxx"),
        ] {
            let said = said(text);
            assert!(said.contains(why), "{said}");
            assert!(said.contains("language server protocol"), "{said}");
        }
        assert_eq!(said(b""), "None");
        assert!(said(b"content-length:33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}").contains("exit"));
    }
}
