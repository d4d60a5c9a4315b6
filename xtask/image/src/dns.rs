//! A name server for the time of a check. It knows a few names, all of this machine.

use std::{
    net::{Ipv4Addr, UdpSocket},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::Result;

/// Where it answers: an address of this machine that nothing else uses. The file that names it has no port.
pub const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 53, 65, 32);

/// A running name server; it ends with the program.
pub struct Names {
    answered: Arc<AtomicUsize>,
}

impl Names {
    /// Starts it. None where this user may not have the port.
    pub fn start(known: &'static [&'static str]) -> Result<Option<Self>> {
        let socket = match UdpSocket::bind((ADDRESS, 53)) {
            Ok(socket) => socket,
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => return Ok(None),
            Err(error) => return Err(format!("A name server on {ADDRESS}: {error}.")),
        };
        let answered = Arc::new(AtomicUsize::new(0));
        let count = answered.clone();
        std::thread::spawn(move || {
            let mut question = [0; 1500];
            while let Ok((length, from)) = socket.recv_from(&mut question) {
                let Some((reply, found)) = answer(&question[..length], known) else { continue };
                count.fetch_add(usize::from(found), Ordering::Relaxed);
                let _ = socket.send_to(&reply, from);
            }
        });
        Ok(Some(Self { answered }))
    }

    pub fn answered(&self) -> usize {
        self.answered.load(Ordering::Relaxed)
    }
}

/// The reply to a question (RFC 1035), and whether it has an address; none for what is no question.
pub fn answer(question: &[u8], known: &[&str]) -> Option<(Vec<u8>, bool)> {
    let (mut name, mut at) = (Vec::new(), 12);
    while let length @ 1.. = usize::from(*question.get(at)?) {
        name.push(String::from_utf8_lossy(question.get(at + 1..at + 1 + length)?).to_lowercase());
        at += 1 + length;
    }
    let end = at + 5;
    let wants_address = question.get(at + 1..end)? == [0, 1, 0, 1];
    let is_known = known.contains(&name.join(".").as_str());
    let found = is_known && wants_address;
    // The question's number; an answer, recursion available; no error, or no such name.
    let mut reply = question.get(..2)?.to_vec();
    reply.extend([0x81, if is_known { 0x80 } else { 0x83 }, 0, 1, 0, u8::from(found), 0, 0, 0, 0]);
    reply.extend(question.get(12..end)?);
    if found {
        // The name of the question; an address, for 60 s.
        reply.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    }
    Some((reply, found))
}
