//! A company that answers well, or in one of the ways in which companies fail.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use rig::Result;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};

/// How each call is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// As it should be.
    Well,
    /// Not at all.
    Silent,
    /// A byte every half second.
    Drips,
    /// The connection is reset.
    Resets,
    /// With status 500.
    Fails,
    /// With what is no HTTP.
    Garbage,
    /// With 100 MB.
    Floods,
}

/// Those in which it fails.
pub const FAULTS: [Manner; 6] =
    [Manner::Silent, Manner::Drips, Manner::Resets, Manner::Fails, Manner::Garbage, Manner::Floods];
/// More than anybody waits for an answer.
const LONG: Duration = Duration::from_secs(30);

/// Listens until it is dropped.
pub struct Company {
    /// Where.
    pub address: SocketAddr,
    manner: watch::Sender<Manner>,
    calls: Arc<AtomicUsize>,
    listening: JoinHandle<()>,
}

impl Drop for Company {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Company {
    /// Its good answer has this JSON.
    pub async fn open(json: String) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (manner, watched) = watch::channel(Manner::Well);
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        let listening = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::Relaxed);
                let (manner, json) = (*watched.borrow(), json.clone());
                // Who called may be gone in the middle.
                tokio::spawn(async move { drop(one(client, manner, &json).await) });
            }
        });
        Ok(Self { address, manner, calls, listening })
    }

    /// From the next call on.
    pub fn set(&self, manner: Manner) {
        self.manner.send_replace(manner);
    }

    /// How many calls there were.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }
}

async fn one(mut client: TcpStream, manner: Manner, json: &str) -> std::io::Result<()> {
    let mut request = Vec::new();
    // What was sent and not read makes the end a reset.
    let reads = manner != Manner::Resets;
    while reads && !request.ends_with(b"\r\n\r\n") && client.read_buf(&mut request).await? > 0 {}
    let head = |status: &str, length: usize| {
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
        )
    };
    match manner {
        Manner::Well => client.write_all(format!("{}{json}", head("200 OK", json.len())).as_bytes()).await,
        Manner::Fails => client.write_all(head("500 Internal Server Error", 0).as_bytes()).await,
        Manner::Garbage => client.write_all(b"SSH-2.0-OpenSSH_9.2\r\n").await,
        Manner::Drips => {
            for byte in head("200 OK", json.len()).bytes() {
                client.write_all(&[byte]).await?;
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            Ok(())
        }
        Manner::Floods => {
            client.write_all(head("200 OK", 100_000_000).as_bytes()).await?;
            for _ in 0..1_000 {
                client.write_all(&[b' '; 100_000]).await?;
            }
            Ok(())
        }
        Manner::Resets => client.readable().await,
        Manner::Silent => {
            tokio::time::sleep(LONG).await;
            Ok(())
        }
    }
}
