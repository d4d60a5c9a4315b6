//! A small HTTP balancer, as an ingress does it: it asks each instance's readiness, keeps connections to
//! instances and to clients, and repeats nothing that an instance may have begun.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use rig::{Connection, Result, free_port, request};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// How often an instance is asked whether it is ready.
const ASKED: Duration = Duration::from_millis(500);
/// Unused connections to one instance that are kept.
const KEPT: usize = 64;

/// An instance, as the balancer knows it.
struct Backend {
    address: SocketAddr,
    probes: SocketAddr,
    ready: AtomicBool,
    idle: Mutex<Vec<TcpStream>>,
}

#[derive(Default)]
struct State {
    backends: Mutex<Vec<Arc<Backend>>>,
    next: AtomicUsize,
}

/// Listens until it is dropped.
pub struct Balancer {
    /// Where.
    pub address: SocketAddr,
    state: Arc<State>,
    tasks: [JoinHandle<()>; 2],
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Balancer {
    /// Without an instance yet.
    pub async fn start() -> Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
        let listener = TcpListener::bind(address).await?;
        let state = Arc::new(State::default());
        let (asking, serving) = (state.clone(), state.clone());
        let tasks = [
            tokio::spawn(async move {
                loop {
                    let known = lock(&asking.backends).clone();
                    futures_util::future::join_all(known.iter().map(|backend| backend.ask())).await;
                    tokio::time::sleep(ASKED).await;
                }
            }),
            tokio::spawn(async move {
                while let Ok((client, _)) = listener.accept().await {
                    let state = serving.clone();
                    tokio::spawn(async move {
                        let _ = state.serve(client).await;
                    });
                }
            }),
        ];
        Ok(Self { address, state, tasks })
    }

    /// A further instance, with the port of its probes.
    pub fn add(&self, address: SocketAddr, probes: u16) {
        let backend = Backend {
            address,
            probes: (Ipv4Addr::LOCALHOST, probes).into(),
            ready: AtomicBool::new(false),
            idle: Mutex::default(),
        };
        lock(&self.state.backends).push(Arc::new(backend));
    }

    /// Forgets an instance that has ended.
    pub fn remove(&self, address: SocketAddr) {
        lock(&self.state.backends).retain(|backend| backend.address != address);
    }

    /// Whether this instance gets requests.
    pub fn sends_to(&self, address: SocketAddr) -> bool {
        lock(&self.state.backends)
            .iter()
            .any(|backend| backend.address == address && backend.ready.load(Ordering::Relaxed))
    }
}

impl Backend {
    async fn ask(&self) {
        let ask =
            async { Connection::open(self.probes).await?.call(&request("GET", "/readyz", &[], None)).await };
        let reply = tokio::time::timeout(Duration::from_secs(1), ask).await;
        let ready = matches!(reply, Ok(Ok(reply)) if reply.status == 200);
        self.ready.store(ready, Ordering::Relaxed);
        if !ready {
            lock(&self.idle).clear();
        }
    }

    /// A kept connection that is still good, or a new one.
    async fn connect(&self) -> io::Result<TcpStream> {
        loop {
            let kept = lock(&self.idle).pop();
            let Some(stream) = kept else { break };
            let mut byte = [0];
            if matches!(stream.try_read(&mut byte), Err(error) if error.kind() == io::ErrorKind::WouldBlock) {
                return Ok(stream);
            }
        }
        let stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    fn keep(&self, stream: TcpStream) {
        let mut idle = lock(&self.idle);
        if idle.len() < KEPT && self.ready.load(Ordering::Relaxed) {
            idle.push(stream);
        }
    }
}

impl State {
    /// The next instance that gets a request, and a connection to it. One that takes no connection has begun
    /// nothing, so another is tried.
    async fn connect(&self) -> io::Result<(Arc<Backend>, TcpStream)> {
        let mut ready: Vec<_> =
            lock(&self.backends).iter().filter(|one| one.ready.load(Ordering::Relaxed)).cloned().collect();
        if !ready.is_empty() {
            let first = self.next.fetch_add(1, Ordering::Relaxed) % ready.len();
            ready.rotate_left(first);
        }
        let mut error = io::Error::from(io::ErrorKind::NotConnected);
        for backend in ready {
            match backend.connect().await {
                Ok(stream) => return Ok((backend, stream)),
                Err(other) => {
                    backend.ready.store(false, Ordering::Relaxed);
                    error = other;
                }
            }
        }
        Err(error)
    }

    async fn serve(&self, mut client: TcpStream) -> io::Result<()> {
        client.set_nodelay(true)?;
        let mut buffer = Vec::new();
        loop {
            let Some(message) = read(&mut client, &mut buffer).await? else { return Ok(()) };
            let (backend, mut server) = match self.connect().await {
                Ok(pair) => pair,
                Err(_) => return client.write_all(BAD_GATEWAY).await,
            };
            let upgrade = field(&message, "upgrade").is_some();
            let answer = async {
                server.write_all(&message).await?;
                if upgrade {
                    return Ok(None);
                }
                let mut rest = Vec::new();
                let answer = read(&mut server, &mut rest).await?;
                answer.map(Some).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            };
            let answer: io::Result<Option<Vec<u8>>> = answer.await;
            match answer {
                Ok(Some(answer)) => {
                    let closes =
                        field(&answer, "connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
                    client.write_all(&answer).await?;
                    if closes {
                        return Ok(());
                    }
                    backend.keep(server);
                }
                Ok(None) => {
                    tokio::io::copy_bidirectional(&mut client, &mut server).await?;
                    return Ok(());
                }
                Err(_) => return client.write_all(BAD_GATEWAY).await,
            }
        }
    }
}

const BAD_GATEWAY: &[u8] =
    b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 11\r\nconnection: close\r\n\r\nbad gateway";

/// One message with its body; none when the other side has closed before it.
async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    loop {
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4) {
            let length: usize = field(&buffer[..end], "content-length")
                .map_or(Ok(0), |value| value.parse())
                .map_err(|_| io::ErrorKind::InvalidData)?;
            if buffer.len() >= end + length {
                let rest = buffer.split_off(end + length);
                return Ok(Some(std::mem::replace(buffer, rest)));
            }
        }
        if stream.read_buf(buffer).await? == 0 {
            return if buffer.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
    }
}

/// A header of a message.
fn field(message: &[u8], name: &str) -> Option<String> {
    let end = message.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(message.len());
    let head = String::from_utf8_lossy(&message[..end]);
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_owned())
}
