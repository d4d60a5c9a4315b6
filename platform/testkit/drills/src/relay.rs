//! A TCP relay that can hold or refuse what goes through it, as a broken network does.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
};

use rig::{Result, free_port};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};

/// What becomes of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// They go on.
    Open,
    /// They are taken and go nowhere, as when a network is parted.
    Held,
    /// All connections are closed, and new ones at once, as when a program has died.
    Refused,
}

/// Listens on a port of its own until it is dropped.
pub struct Relay {
    /// Where.
    pub address: SocketAddr,
    way: watch::Sender<Way>,
    listening: JoinHandle<()>,
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Relay {
    /// Everything goes to `target`.
    pub async fn to(target: SocketAddr) -> Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
        let listener = TcpListener::bind(address).await?;
        let (way, watched) = watch::channel(Way::Open);
        let listening = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(one(client, target, watched.clone()));
            }
        });
        Ok(Self { address, way, listening })
    }

    /// From now on.
    pub fn set(&self, way: Way) {
        self.way.send_replace(way);
    }
}

async fn one(client: TcpStream, target: SocketAddr, mut way: watch::Receiver<Way>) {
    if way.wait_for(|way| *way != Way::Held).await.is_ok_and(|way| *way == Way::Refused) {
        return;
    }
    let Ok(server) = TcpStream::connect(target).await else { return };
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let (client, server) = (Arc::new(client), Arc::new(server));
    let mut ends = way.clone();
    tokio::select! {
        () = pump(client.clone(), server.clone(), way.clone()) => {}
        () = pump(server, client, way) => {}
        _ = ends.wait_for(|way| *way == Way::Refused) => {}
    }
}

async fn pump(from: Arc<TcpStream>, to: Arc<TcpStream>, mut way: watch::Receiver<Way>) {
    let mut bytes = vec![0; 1 << 16];
    loop {
        if way.wait_for(|way| *way != Way::Held).await.is_err() || from.readable().await.is_err() {
            return;
        }
        let count = match from.try_read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => continue,
            Err(_) => return,
        };
        if way.wait_for(|way| *way != Way::Held).await.is_err() {
            return;
        }
        let mut written = 0;
        while written < count {
            if to.writable().await.is_err() {
                return;
            }
            match to.try_write(&bytes[written..count]) {
                Ok(more) => written += more,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => return,
            }
        }
    }
}
