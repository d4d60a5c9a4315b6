//! The binary as an operator uses it.

use std::{
    collections::BTreeMap,
    io::{Read, Write},
    process::Command,
};

use serde_json::json;
use testkit::{Kit, kit};

pub(crate) fn settings(kit: &Kit) -> BTreeMap<&'static str, String> {
    [
        ("PULT_DATABASE_URL", kit.pool_url.to_string()),
        ("PULT_DATABASE_LISTEN_URL", kit.database_url.to_string()),
        ("PULT_DATABASE_OWNER_URL", kit.owner_url.to_string()),
        ("PULT_PUBLIC_URL", "https://pult.example".into()),
        ("PULT_SECRET_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=".into()),
        ("PULT_SMTP_URL", "smtp://127.0.0.1:9".into()),
        ("PULT_MAIL_FROM", "pult@pult.example".into()),
        ("PULT_S3_ENDPOINT", "http://127.0.0.1:9".into()),
        ("PULT_S3_BUCKET", "pult".into()),
        ("PULT_S3_ACCESS_KEY", "key".into()),
        ("PULT_S3_SECRET_KEY", "secret".into()),
        ("PULT_LISTEN", "127.0.0.1:0".into()),
        ("PULT_METRICS_LISTEN", "127.0.0.1:0".into()),
    ]
    .into_iter()
    .chain(kit.server_settings())
    .collect()
}

/// Runs the binary with exactly these settings: whether it succeeded, and what it said.
fn pult(settings: &BTreeMap<&'static str, String>, arguments: &[&str]) -> (bool, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_pult")).args(arguments).env_clear().envs(settings).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[testkit::test]
async fn a_setting_that_is_missing_or_wrong_is_refused_by_name() {
    let good = settings(kit().await);
    let needed = [
        "PULT_DATABASE_URL", "PULT_PUBLIC_URL", "PULT_SECRET_KEY", "PULT_SMTP_URL", "PULT_MAIL_FROM",
        "PULT_S3_ENDPOINT", "PULT_S3_BUCKET",
    ];
    for name in needed {
        let mut missing = good.clone();
        missing.remove(name);
        let (success, _, output) = pult(&missing, &["serve"]);
        assert!(!success && output.contains(&format!("{name} is not set")), "{name}: {output}");
    }
    for (name, value) in [
        ("PULT_DATABASE_URL", "mysql://pult@127.0.0.1/pult"),
        ("PULT_PUBLIC_URL", "http://pult.example"),
        ("PULT_SECRET_KEY", "c2hvcnQ="),
        ("PULT_SMTP_URL", "127.0.0.1:25"),
        ("PULT_LISTEN", "everywhere"),
        ("PULT_TRUSTED_PROXIES", "10.0.0.1, proxy"),
        ("PULT_TRUSTED_PROXIES", "0.0.0.0/0"),
        ("PULT_DATABASE_SERVERS", "east=postgres://a:b@127.0.0.1/c,west=postgres://d:e@127.0.0.1/f"),
        ("PULT_INSTALLATION", "Main Office"),
        ("PULT_TLS_CERT", "/nowhere/cert.pem"),
    ] {
        let mut wrong = good.clone();
        wrong.insert(name, value.to_owned());
        let (success, _, output) = pult(&wrong, &["serve"]);
        assert!(!success && output.contains(name), "{name}: {output}");
        assert!(!output.contains("panicked"), "{name}: {output}");
    }
    let mut open = good.clone();
    open.extend([("PULT_DEV", "1".to_owned()), ("PULT_LISTEN", "0.0.0.0:0".to_owned())]);
    let (success, _, output) = pult(&open, &["serve"]);
    assert!(!success && output.contains("PULT_DEV_LAN"), "{output}");
    let mut wrong = good.clone();
    wrong.insert(
        "PULT_DATABASE_URL",
        good["PULT_DATABASE_URL"].replacen(':', ":wrong", 2).replacen(":wrong", ":", 1),
    );
    let (success, _, output) = pult(&wrong, &["serve"]);
    assert!(
        !success && output.contains("the database does not answer"),
        "a wrong password stays one: {output}"
    );
    let (success, _, output) = pult(&good, &["demo"]);
    assert!(!success && output.contains("PULT_DEV"), "published passwords: {output}");
    for (theirs, older) in [("0", "the chart is older"), ("999", "the image is older"), ("x", "not a number")]
    {
        let mut other = good.clone();
        other.insert("PULT_CHART", theirs.to_owned());
        for arguments in [&["serve"][..], &["migrate", "--as-a-later-chart-calls-it"]] {
            let (success, _, output) = pult(&other, arguments);
            assert!(!success && output.contains("PULT_CHART") && output.contains(older), "{output}");
        }
    }
    for (name, value) in [
        ("PULT_JOBS", "no"),
        ("PULT_LOG", "warn,server=loud"),
        ("PULT_DATABASE_POOL", "0"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"),
        ("OTEL_TRACES_SAMPLER_ARG", "2"),
    ] {
        let mut wrong = good.clone();
        wrong.insert("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9".to_owned());
        wrong.insert(name, value.to_owned());
        let (success, _, output) = pult(&wrong, &["serve"]);
        assert!(!success && output.contains(name), "{name}: {output}");
    }
}

/// What a probe answers: status and text.
pub(crate) fn ask(port: u16, path: &str) -> Option<(String, String)> {
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).ok()?;
    write!(stream, "GET {path} HTTP/1.1\r\nhost: probe\r\nconnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.to_owned(), body.to_owned()))
}

/// Asks until the answer is this one, for a minute.
pub(crate) fn wait_for(port: u16, path: &str, status: &str) {
    for _ in 0..600 {
        if ask(port, path).is_some_and(|(answered, _)| answered == status) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("{path} never answered {status}; last {:?}", ask(port, path));
}

pub(crate) fn terminate(child: &mut std::process::Child) -> std::process::ExitStatus {
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    child.wait().unwrap()
}

/// Without a database the process lives and waits; it is not restarted, and stops when it is told to.
#[testkit::test]
async fn a_database_that_is_away_is_waited_for() {
    let mut away = settings(kit().await);
    let port = rig::free_port().unwrap();
    away.insert("PULT_METRICS_LISTEN", format!("127.0.0.1:{port}"));
    // One that does not listen, and one that would speak TLS: what checks its certificate is there.
    let database = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = database.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in database.incoming().flatten() {
            let mut question = [0; 8];
            let _ = stream.read_exact(&mut question).and_then(|()| stream.write_all(b"S"));
        }
    });
    for url in [
        "postgres://pult_app:x@127.0.0.1:1/pult".to_owned(),
        format!("postgres://pult_app:x@{silent}/pult?sslmode=verify-ca"),
    ] {
        away.insert("PULT_DATABASE_URL", url);
        let mut pult = Command::new(env!("CARGO_BIN_EXE_pult"));
        pult.arg("serve").env_clear().envs(&away).stderr(std::process::Stdio::piped());
        let mut child = pult.spawn().unwrap();
        wait_for(port, "/livez", "200");
        for path in ["/startupz", "/readyz"] {
            assert_eq!(ask(port, path).unwrap().0, "503", "{path}");
        }
        assert!(terminate(&mut child).success());
        let mut log = String::new();
        child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        assert!(!log.contains("panicked"), "{log}");
    }
}

/// Names, units and labels of `/metrics`, of both kinds of process.
#[testkit::test]
async fn the_operators_port_shows_measurements() {
    // Its jobs would be those of other tests.
    let mut own = settings(&kit().await.beside("seen").await);
    let (port, service) = (rig::free_port().unwrap(), rig::free_port().unwrap());
    own.insert("PULT_METRICS_LISTEN", format!("127.0.0.1:{port}"));
    own.insert("PULT_LISTEN", format!("127.0.0.1:{service}"));
    own.insert("PULT_CHART", server::config::CHART.to_owned());
    for (command, jobs) in [("serve", "off"), ("work", "on")] {
        own.insert("PULT_JOBS", jobs.to_owned());
        let mut pult = Command::new(env!("CARGO_BIN_EXE_pult"));
        let mut child = pult.arg(command).env_clear().envs(&own).spawn().unwrap();
        wait_for(port, "/readyz", "200");
        assert_eq!(ask(service, "/api/rest").is_some(), command == "serve");
        if command == "serve" {
            let path = format!("/api/v3/admins/password-reset/{}", "x".repeat(32));
            assert_eq!(ask(service, &path).unwrap().0, "401");
            for stranger in ["/api/v3/admin/me", "/api/v3/super-admin/partners", "/api/nothing"] {
                assert!(ask(service, stranger).unwrap().0.starts_with('4'));
            }
        }
        wait_for(port, "/startupz", "200");
        // What waits is counted shortly after the start.
        let mut text = String::new();
        for _ in 0..100 {
            text = ask(port, "/metrics").unwrap().1;
            if text.contains("pult_job_waiting") {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        for wanted in [
            "db_client_operation_duration_seconds_bucket{db_operation_name=\"SELECT\",le=\"0.01\"}",
            "db_client_connection_wait_time_seconds_count",
            "db_client_connection_count{db_client_connection_state=\"idle\"}",
            "pult_http_waiting_requests 0",
            "pult_job_waiting",
            "pult_job_lag_seconds",
            "pult_outbox_lag_seconds",
            "pult_partner_maintenance",
            "pult_ready 1",
            "pult_ws_clients 0",
            "process_resident_memory_bytes",
            "process_cpu_seconds_total",
            "process_open_fds",
            "process_start_time_seconds",
            &format!("pult_build_info{{chart=\"{}\",version=\"", server::config::CHART),
        ] {
            assert!(text.contains(wanted), "{wanted} is missing:\n{text}");
        }
        if command == "serve" {
            let route = "http_server_request_duration_seconds_count{http_request_method=\"GET\",\
                http_response_status_code=\"200\",http_route=\"/api/rest\"} 1";
            assert!(text.contains(route), "{text}");
            assert!(!text.contains("xxxx"), "a token of a link is no label: {text}");
            // A stranger makes no series for each path.
            let refused = |line: &&str| {
                line.starts_with("http_server_request_duration_seconds_count") && line.contains("_code=\"4")
            };
            assert!(text.lines().filter(refused).all(|line| line.contains("/api/{refused}")), "{text}");
        }
        assert!(terminate(&mut child).success());
    }
}

/// A collector of traces: it takes what it is sent, and gives all of it back once its sender has gone.
fn collector() -> (u16, std::sync::mpsc::Receiver<Vec<u8>>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (into, out) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let (mut all, mut part) = (Vec::new(), [0; 65_536]);
            while let Ok(read) = stream.read(&mut part) {
                if read == 0 {
                    break;
                }
                all.extend_from_slice(&part[..read]);
                let text = String::from_utf8_lossy(&all).to_lowercase();
                let whole = text.find("\r\n\r\n").is_some_and(|head| {
                    let length = text.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
                    let length: usize = length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
                    // The head is letters alone, so that its length is the same in both.
                    all.len() >= head + 4 + length
                });
                if whole {
                    let _ = into.send(std::mem::take(&mut all));
                    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                }
            }
        }
    });
    (port, out)
}

#[testkit::test]
async fn a_trace_reaches_the_collector_with_the_id_of_its_caller() {
    let mut own = settings(&kit().await.beside("seen").await);
    let (port, service) = (rig::free_port().unwrap(), rig::free_port().unwrap());
    let (collector, sent) = collector();
    own.insert("PULT_METRICS_LISTEN", format!("127.0.0.1:{port}"));
    own.insert("PULT_LISTEN", format!("127.0.0.1:{service}"));
    own.insert("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://127.0.0.1:{collector}"));
    own.insert("OTEL_TRACES_SAMPLER_ARG", "1".to_owned());
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_pult")).arg("serve").env_clear().envs(&own).spawn().unwrap();
    wait_for(port, "/readyz", "200");
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", service)).unwrap();
    write!(
        stream,
        "POST /api/v3/admins/sign_in HTTP/1.1\r\nhost: pult.example\r\nconnection: close\r\n\
        content-type: application/json\r\ntraceparent: 00-{trace}-00f067aa0ba902b7-01\r\ncontent-length: 61\r\n\r\n\
        {{\"admin\":{{\"email\":\"nobody@pult.example\",\"password\":\"secret\"}}}}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    assert!(terminate(&mut child).success());
    let sent: Vec<u8> = sent.try_iter().flatten().collect();
    let id: Vec<u8> = (0..16).map(|at| u8::from_str_radix(&trace[2 * at..2 * at + 2], 16).unwrap()).collect();
    let has = |wanted: &[u8]| sent.windows(wanted.len()).any(|part| part == wanted);
    assert!(has(&id), "the trace of the caller");
    assert!(has(b"POST /api/v3/admins/sign_in") && has(b"http.route") && has(b"db.query.text"));
    for secret in ["nobody@pult.example", "secret\""] {
        assert!(!has(secret.as_bytes()), "{secret} is in a trace");
    }
}

/// The lines that say whether this Postgres let partners be walled off from each other, and where partners are that
/// cannot be reached.
#[testkit::test]
async fn the_start_reports_rights_that_are_still_open_and_servers_it_does_not_know() {
    use std::io::{BufRead, BufReader};
    let beside = kit().await.beside("start").await;
    let away = "insert into control.partner (id, name, mode, role, server) \
        values (gen_random_uuid(), 'Kelet', 'live', 'pult_east', 'east')";
    for (grant, wanted, unknown) in [
        (None, "have nothing that leads out", false),
        (Some("set_config(text, text, boolean)"), "\"gaps\":\"set_config\"", true),
    ] {
        if let Some(function) = grant {
            beside.run(&format!("grant execute on function pg_catalog.{function} to public"), vec![]).await;
            beside.run(away, vec![]).await;
        }
        let (out, into) = std::io::pipe().unwrap();
        let mut pult = Command::new(env!("CARGO_BIN_EXE_pult"));
        pult.arg("serve").env_clear().envs(settings(&beside)).stderr(into.try_clone().unwrap()).stdout(into);
        let mut child = pult.spawn().unwrap();
        // Its own ends of the pipe go, so that reading ends with the service.
        drop(pult);
        let lines = tokio::task::spawn_blocking(move || {
            let lines = BufReader::new(out).lines().map_while(Result::ok);
            lines.take_while(|line| !line.contains("serving")).collect::<Vec<_>>()
        });
        let output = tokio::time::timeout(std::time::Duration::from_secs(60), lines).await;
        child.kill().unwrap();
        child.wait().unwrap();
        let output = output.unwrap().unwrap().join("\n");
        assert!(output.contains(wanted), "{output}");
        assert_eq!(output.contains("\"servers\":\"east\""), unknown, "{output}");
    }
}

#[testkit::test]
async fn the_first_super_admin_gets_a_link_that_works_once() {
    let kit = kit().await;
    let email = format!("{}@pult.example", uuid::Uuid::now_v7().simple());
    let (success, link, output) = pult(&settings(kit), &["create-super-admin", &email]);
    assert!(success, "{output}");
    let token =
        link.trim().strip_prefix("https://pult.example/new-password?token=").expect("a link to the page");
    let place = kit.restaurant().await;
    let password = json!({"password": "hosszú-jelszó-2026", "password_again": "hosszú-jelszó-2026"});
    let path = format!("/api/v3/admins/password-reset/{token}");
    let short = json!({"password": "rövid-9", "password_again": "rövid-9"});
    place.nobody().put(&path).json(short).send().await.assert_keys(&["password"]);
    place.nobody().put(&path).json(password.clone()).send().await.assert(200);
    place.nobody().put(&path).json(password).send().await.assert_problem(401, "USER_INVALID_TOKEN");
    let body = json!({"admin": {"email": email, "password": "hosszú-jelszó-2026"}});
    let me = place.nobody().post("/api/v3/admins/sign_in").json(body).send().await.assert(200).json();
    assert_eq!(
        (&me["super_admin"], &me["second_factor_required"]),
        (&json!(false), &json!(true)),
        "nobody special before it is set up"
    );

    // With a second factor from the start, its code signs in at once.
    let (email, secret) =
        (format!("{}@pult.example", uuid::Uuid::now_v7().simple()), "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP");
    let mut own = settings(kit);
    own.insert("PULT_SECRET_KEY", "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=".into());
    let (success, link, output) = pult(&own, &["create-super-admin", &email, secret]);
    assert!(success, "{output}");
    let token =
        link.trim().strip_prefix("https://pult.example/new-password?token=").expect("a link to the page");
    let password = json!({"password": "hosszú-jelszó-2026", "password_again": "hosszú-jelszó-2026"});
    place
        .nobody()
        .put(&format!("/api/v3/admins/password-reset/{token}"))
        .json(password)
        .send()
        .await
        .assert(204);
    let (success, code, _) = pult(&own, &["second-factor-code", secret]);
    assert!(success && code.trim().len() == 6);
    let body = json!({"admin": {"email": email, "password": "hosszú-jelszó-2026", "code": code.trim()}});
    let me = place.nobody().post("/api/v3/admins/sign_in").json(body).send().await.assert(200).json();
    assert_eq!(me["super_admin"], true);
    let (success, _, output) = pult(&own, &["create-super-admin", &email, "short"]);
    assert!(!success && output.contains("base32"), "{output}");
    let (success, _, output) = pult(&settings(kit), &["create-super-admin", "nobody"]);
    assert!(!success && output.contains("e-mail"), "{output}");
}

#[testkit::test]
async fn an_operator_verifies_the_audit_logs() {
    let kit = kit().await;
    let (touched, untouched) = (kit.partner().await, kit.partner().await);
    for place in [&touched, &untouched] {
        place.admin().await.post("/api-keys").json(json!({"name": "x"})).send().await.assert(201);
    }
    access::enqueue_seals(&kit.app).await.unwrap();
    let sealed = "select count(*) n from control.audit_head where partner_id = any ($1) and number = 1";
    for _ in 0..100 {
        kit.run_jobs().await;
        let both = vec![vec![touched.partner.uuid(), untouched.partner.uuid()].into()];
        if kit.row(sealed, both).await.try_get::<i64>("", "n").unwrap() == 2 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    kit.run(&format!("update {}.audit set actor_name = 'somebody else'", touched.schema), vec![]).await;
    let (success, listed, output) = pult(&settings(kit), &["audit", "verify"]);
    assert!(!success && output.contains("not what was written"), "{output}");
    assert!(
        listed.contains(&format!("{}: 1 faults", touched.partner)) && listed.contains("line 1 "),
        "{listed}"
    );
    assert!(!listed.contains(&untouched.partner.to_string()), "{listed}");
}

#[testkit::test]
async fn an_operator_changes_the_secret_key() {
    const OLD: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    const NEW: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
    let kit = kit().await;
    let (_, url) = kit.own_installation("secret").await;
    let mut settings = settings(kit);
    settings.insert("PULT_DATABASE_OWNER_URL", url.to_string());
    let (success, _, output) =
        pult(&settings, &["create-super-admin", "boss@pult.example", "PULTDEMO2PULTDEMO3PULTDEMO4PULTD"]);
    assert!(success, "{output}");
    let mut reseal = |keys: String| {
        settings.insert("PULT_SECRET_KEY", keys);
        pult(&settings, &["secrets", "reseal"])
    };
    let output = |renewed, current, failed| {
        format!("{renewed} secrets sealed anew, {current} were under the newest key, {failed} do not open\n")
    };
    assert_eq!(reseal(OLD.into()).1, output(0, 1, 0));
    assert_eq!(reseal(format!("{OLD},{NEW}")).1, output(0, 1, 0));
    let (success, listed, reason) = reseal(NEW.into());
    assert!(
        !success && listed == output(0, 0, 1) && reason.contains("keep the older keys"),
        "{listed} {reason}"
    );
    assert_eq!(reseal(format!("{NEW}, {OLD}")).1, output(1, 0, 0));
    let (success, listed, _) = reseal(NEW.into());
    assert!(success && listed == output(0, 1, 0), "{listed}");
    for faulty in [format!("{NEW},"), format!("{NEW},c2hvcnQ="), format!("{NEW} {OLD}")] {
        let (success, _, reason) = reseal(faulty);
        assert!(!success && reason.contains("PULT_SECRET_KEY") && !reason.contains("AQEB"), "{reason}");
    }
}
