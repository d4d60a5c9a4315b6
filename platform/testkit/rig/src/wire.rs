//! One plain HTTP/1.1 connection: no retries, no reconnects, and the caller may close it at any moment.

use std::{
    io::{Error, ErrorKind, Result},
    net::SocketAddr,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The bytes of a request.
#[must_use]
pub fn request(method: &str, path: &str, headers: &[(&str, &str)], body: Option<&str>) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(body) = body {
        text.push_str(&format!(
            "content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        ));
    } else {
        text.push_str("\r\n");
    }
    text.into_bytes()
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Status line and headers as they came.
    pub head: String,
    /// Body.
    pub body: Vec<u8>,
}

impl Reply {
    /// A header's value; the name in small letters.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }

    /// Whether no further request may follow on its connection.
    #[must_use]
    pub fn closes(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

/// A connection that is kept alive.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    /// Bytes that are read and not processed.
    buffer: Vec<u8>,
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(1 << 16) })
    }

    /// Whether the other side has neither closed it nor sent anything: a client looks before it uses an idle
    /// connection again.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let mut byte = [0];
        self.buffer.is_empty()
            && matches!(self.stream.try_read(&mut byte), Err(error) if error.kind() == ErrorKind::WouldBlock)
    }

    /// Sends a request.
    pub async fn send(&mut self, request: &[u8]) -> Result<()> {
        self.stream.write_all(request).await
    }

    /// Waits until the answer begins to arrive, so dropping the connection now loses the answer of committed
    /// work.
    pub async fn answered(&mut self) -> Result<()> {
        if self.buffer.is_empty() { self.more().await } else { Ok(()) }
    }

    /// Reads one answer. Only bodies of a known length are understood; the service sends no others to JSON
    /// calls.
    pub async fn reply(&mut self) -> Result<Reply> {
        let end = loop {
            if let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            self.more().await?;
        };
        let head = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
        let bad = |what: &str| Error::new(ErrorKind::InvalidData, what.to_owned());
        let status: u16 =
            head.get(9..12).and_then(|digits| digits.parse().ok()).ok_or_else(|| bad("no status line"))?;
        let length = match header(&head, "content-length") {
            Some(length) => length.parse().map_err(|_| bad("content-length is no number"))?,
            None if matches!(status, 204 | 304) => 0,
            None => return Err(bad("no content-length")),
        };
        while self.buffer.len() < end + length {
            self.more().await?;
        }
        let body = self.buffer[end..end + length].to_vec();
        self.buffer.drain(..end + length);
        Ok(Reply { status, head, body })
    }

    /// Sends a request and reads its answer.
    pub async fn call(&mut self, request: &[u8]) -> Result<Reply> {
        self.send(request).await?;
        self.reply().await
    }

    async fn more(&mut self) -> Result<()> {
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}
