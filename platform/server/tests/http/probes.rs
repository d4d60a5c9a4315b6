//! What the probes say when the database goes away after the start. See `docs/decisions/reliability.md#probes`.

use std::{
    io,
    net::{Shutdown, TcpListener, TcpStream},
    process::Command,
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use testkit::kit;
use url::Url;

use super::binary::{ask, settings, terminate, wait_for};

/// Hands on what goes to a server and comes back, while it is open.
#[derive(Clone)]
struct Way(Arc<Mutex<Option<Vec<TcpStream>>>>);

impl Way {
    fn to(server: (String, u16)) -> (Self, u16) {
        let way = Self(Arc::new(Mutex::new(Some(vec![]))));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let at = way.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if let Some(open) = at.0.lock().unwrap().as_mut() {
                    let server = TcpStream::connect((server.0.as_str(), server.1)).unwrap();
                    for (from, to) in [(&client, &server), (&server, &client)] {
                        let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                        thread::spawn(move || {
                            let _ = io::copy(&mut from, &mut to);
                            let _ = to.shutdown(Shutdown::Both);
                        });
                    }
                    open.push(client);
                }
            }
        });
        (way, port)
    }

    fn cut(&self) {
        for stream in self.0.lock().unwrap().take().unwrap() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn open(&self) {
        *self.0.lock().unwrap() = Some(vec![]);
    }
}

#[testkit::test]
async fn a_database_that_is_lost_after_the_start_turns_readiness_red_and_nothing_else() {
    let mut lost = settings(&kit().await.beside("lost").await);
    let mut database: Url = lost["PULT_DATABASE_URL"].parse().unwrap();
    let (way, port) = Way::to((database.host_str().unwrap().to_owned(), database.port().unwrap()));
    database.set_host(Some("127.0.0.1")).unwrap();
    database.set_port(Some(port)).unwrap();
    let probes = rig::free_port().unwrap();
    lost.insert("PULT_DATABASE_URL", database.into());
    lost.insert("PULT_METRICS_LISTEN", format!("127.0.0.1:{probes}"));
    lost.insert("PULT_JOBS", "off".to_owned());
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_pult")).arg("serve").env_clear().envs(&lost).spawn().unwrap();
    wait_for(probes, "/readyz", "200");
    for _ in 0..2 {
        way.cut();
        let begun = Instant::now();
        wait_for(probes, "/readyz", "503");
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        for (path, status) in [("/livez", "200"), ("/startupz", "200"), ("/readyz", "503")] {
            assert_eq!(ask(probes, path).unwrap().0, status, "{path}");
        }
        way.open();
        let begun = Instant::now();
        wait_for(probes, "/readyz", "200");
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
    assert!(terminate(&mut child).success());
}
