//! A mail server that stores each message as a file, `<time>-<number>.eml`.
//!
//! It supports what a client needs of RFC 5321: EHLO, HELO, MAIL, RCPT, DATA, RSET, NOOP, QUIT.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt, BufReader},
    net::TcpListener,
};

/// Messages of more bytes are refused, like common providers do.
const LARGEST_MESSAGE: usize = 25 * 1024 * 1024;
/// Commands of more bytes are refused (RFC 5321 §4.5.3.1 asks for 512 at least).
const LONGEST_COMMAND: usize = 4096;

static NUMBER: AtomicU64 = AtomicU64::new(1);

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, folder: PathBuf) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        let folder = folder.clone();
        tokio::spawn(async move {
            let (reader, writer) = stream.into_split();
            // A connection that breaks is the client's affair.
            let _ = session(BufReader::new(reader), writer, &folder).await;
        });
    }
}

#[derive(Default)]
struct Envelope {
    from: Option<String>,
    to: Vec<String>,
}

async fn session(
    mut reader: impl AsyncBufRead + Unpin, mut writer: impl AsyncWrite + Unpin, folder: &Path,
) -> std::io::Result<()> {
    let mut envelope = Envelope::default();
    writer.write_all(b"220 localhost sandbox\r\n").await?;
    while let Some(line) = read_line(&mut reader, LONGEST_COMMAND).await? {
        if line.cut {
            writer.write_all(b"500 line too long\r\n").await?;
            continue;
        }
        let text = String::from_utf8_lossy(&line.bytes).trim_end().to_owned();
        let (verb, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let answer = match verb.to_ascii_uppercase().as_str() {
            "EHLO" => {
                envelope = Envelope::default();
                format!("250-localhost\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE {LARGEST_MESSAGE}")
            }
            "HELO" => {
                envelope = Envelope::default();
                "250 localhost".into()
            }
            "MAIL" => match address(rest, "FROM:") {
                None => "501 MAIL FROM:<address> expected".into(),
                Some(_) if announced_size(rest) > LARGEST_MESSAGE => "552 message too large".into(),
                Some(from) => {
                    envelope = Envelope { from: Some(from), to: Vec::new() };
                    "250 ok".into()
                }
            },
            "RCPT" => match address(rest, "TO:") {
                _ if envelope.from.is_none() => "503 MAIL first".into(),
                None => "501 RCPT TO:<address> expected".into(),
                Some(to) if to.is_empty() => "501 RCPT TO:<address> expected".into(),
                Some(to) => {
                    envelope.to.push(to);
                    "250 ok".into()
                }
            },
            "DATA" if envelope.to.is_empty() => "503 MAIL and RCPT first".into(),
            "DATA" => {
                writer.write_all(b"354 end with a line of one dot\r\n").await?;
                let Some(message) = read_message(&mut reader).await? else {
                    return Ok(());
                };
                let envelope = std::mem::take(&mut envelope);
                match message {
                    Message::TooLarge => "552 message too large".into(),
                    Message::Unpaged(bytes) => match keep(folder, &envelope, &bytes).await {
                        Ok(name) => format!("250 kept as {name}"),
                        Err(error) => format!("451 cannot be kept: {error}"),
                    },
                }
            }
            "RSET" => {
                envelope = Envelope::default();
                "250 ok".into()
            }
            "NOOP" => "250 ok".into(),
            "QUIT" => {
                writer.write_all(b"221 bye\r\n").await?;
                return Ok(());
            }
            _ => "502 not implemented".into(),
        };
        writer.write_all(answer.as_bytes()).await?;
        writer.write_all(b"\r\n").await?;
    }
    Ok(())
}

/// The address of `FROM:<a@b> SIZE=1`; empty for the null sender `<>`.
fn address(rest: &str, word: &str) -> Option<String> {
    let head = rest.get(..word.len())?;
    let tail = rest.get(word.len()..)?.trim_start();
    let inner = tail.strip_prefix('<')?.split_once('>')?.0;
    head.eq_ignore_ascii_case(word).then(|| inner.to_owned())
}

fn announced_size(rest: &str) -> usize {
    rest.split_whitespace()
        .find_map(|part| part.to_ascii_uppercase().strip_prefix("SIZE=")?.parse().ok())
        .unwrap_or(0)
}

struct Line {
    bytes: Vec<u8>,
    /// There was more of it, which was read and dropped.
    cut: bool,
}

/// A line with its end, of which at most `longest` bytes are kept; `None` when the other side is gone.
async fn read_line(
    reader: &mut (impl AsyncBufRead + Unpin), longest: usize,
) -> std::io::Result<Option<Line>> {
    let mut line = Line { bytes: Vec::new(), cut: false };
    loop {
        let available = reader.fill_buf().await?;
        if available.is_empty() {
            return Ok(None); // a line without an end is not a line
        }
        let end = available.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let part = &available[..end.unwrap_or(available.len())];
        let room = longest.saturating_sub(line.bytes.len());
        line.cut |= part.len() > room;
        line.bytes.extend_from_slice(&part[..part.len().min(room)]);
        let read = part.len();
        reader.consume(read);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

enum Message {
    Unpaged(Vec<u8>),
    TooLarge,
}

/// Everything up to the line with a single dot, with the doubled dots of RFC 5321 §4.5.2 undone.
async fn read_message(reader: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<Message>> {
    let mut message = Vec::new();
    let mut too_large = false;
    loop {
        let Some(line) = read_line(reader, LARGEST_MESSAGE + 2).await? else {
            return Ok(None);
        };
        if matches!(line.bytes.as_slice(), b".\r\n" | b".\n") {
            return Ok(Some(if too_large { Message::TooLarge } else { Message::Unpaged(message) }));
        }
        let content = line.bytes.strip_prefix(b".").unwrap_or(&line.bytes);
        too_large |= line.cut || message.len() + content.len() > LARGEST_MESSAGE;
        if too_large {
            message = Vec::new();
        } else {
            message.extend_from_slice(content);
        }
    }
}

/// Writes the message with its envelope above its own headers: a blind copy is visible only there. The file
/// appears whole, because tests wait for it.
async fn keep(folder: &Path, envelope: &Envelope, message: &[u8]) -> std::io::Result<String> {
    let name = format!(
        "{}-{}.eml",
        chrono::Utc::now().format("%Y%m%dT%H%M%S%3fZ"),
        NUMBER.fetch_add(1, Ordering::Relaxed)
    );
    let from = envelope.from.as_deref().unwrap_or_default();
    let mut content =
        format!("X-Envelope-From: <{from}>\r\nX-Envelope-To: {}\r\n", envelope.to.join(", ")).into_bytes();
    content.extend_from_slice(message);
    let unfinished = folder.join(format!(".{name}"));
    tokio::fs::write(&unfinished, content).await?;
    tokio::fs::rename(&unfinished, folder.join(&name)).await?;
    Ok(name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Talks to a session over memory and returns its answers and the kept messages.
    async fn run(input: &[u8]) -> (String, Vec<String>) {
        let folder = std::env::temp_dir().join(format!(
            "smtp-{}-{}",
            std::process::id(),
            NUMBER.fetch_add(1, Ordering::Relaxed)
        ));
        std::fs::create_dir_all(&folder).unwrap();
        let mut answers = Vec::new();
        session(input, &mut answers, &folder).await.unwrap();
        let mut stored: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        stored.sort();
        let stored = stored.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
        std::fs::remove_dir_all(&folder).unwrap();
        (String::from_utf8(answers).unwrap(), stored)
    }

    #[tokio::test]
    async fn a_message_is_stored_with_its_envelope_and_dots() {
        let (answers, stored) =
            run(b"EHLO me\r\nMAIL FROM:<a@x.hu> SIZE=40\r\nRCPT TO:<b@x.hu>\r\nrcpt to: \
                <c@x.hu>\r\nDATA\r\nSubject: Hi\r\n\r\n..dot\r\nend\r\n.\r\nQUIT\r\n")
            .await;
        assert_eq!(
            stored,
            ["X-Envelope-From: <a@x.hu>\r\nX-Envelope-To: b@x.hu, c@x.hu\r\nSubject: \
                 Hi\r\n\r\n.dot\r\nend\r\n"]
        );
        let codes: Vec<&str> = answers.lines().map(|line| &line[..4]).collect();
        assert_eq!(
            codes,
            ["220 ", "250-", "250-", "250-", "250 ", "250 ", "250 ", "250 ", "354 ", "250 ", "221 "]
        );
    }

    #[tokio::test]
    async fn the_order_of_commands_is_kept() {
        let (answers, stored) = run(b"HELO me\r\nRCPT TO:<b@x.hu>\r\nDATA\r\nMAIL \
            FROM:<>\r\nRSET\r\nDATA\r\nMAIL TO\r\nVRFY x\r\nNOOP\r\n")
        .await;
        let codes: Vec<&str> = answers.lines().map(|line| &line[..3]).collect();
        assert_eq!(codes, ["220", "250", "503", "503", "250", "250", "503", "501", "502", "250"]);
        assert!(stored.is_empty());
    }

    #[tokio::test]
    async fn a_message_that_is_too_large_is_refused_and_the_session_continues() {
        let mut input = b"HELO me\r\nMAIL FROM:<a@x.hu> SIZE=99999999\r\nMAIL FROM:<a@x.hu>\r\nRCPT \
            TO:<b@x.hu>\r\nDATA\r\n"
            .to_vec();
        for _ in 0..26 {
            input.resize(input.len() + 1024 * 1024, b'a');
            input.extend_from_slice(b"\r\n");
        }
        input.extend_from_slice(b".\r\n");
        input.resize(input.len() + 5000, b'x');
        input.extend_from_slice(b"\r\nNOOP\r\n");
        let (answers, stored) = run(&input).await;
        let codes: Vec<&str> = answers.lines().map(|line| &line[..3]).collect();
        assert_eq!(codes, ["220", "250", "552", "250", "250", "354", "552", "500", "250"]);
        assert!(stored.is_empty());
    }

    #[tokio::test]
    async fn a_cut_connection_leaves_nothing() {
        let (_, stored) =
            run(b"HELO me\r\nMAIL FROM:<a@x.hu>\r\nRCPT TO:<b@x.hu>\r\nDATA\r\nSubject: Hi\r\n\r\nhalf")
                .await;
        assert!(stored.is_empty());
    }
}
