//! Programs in the image, in namespaces of their own.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, geteuid, kill_process};

use crate::{
    Result, USER, about,
    inside::{self, Findings},
    opened::Start,
};

const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What the image was unpacked to, and what a runtime adds.
#[derive(Clone)]
pub struct Place {
    /// Folder of this check.
    pub work: PathBuf,
    /// The file system of the image.
    pub root: PathBuf,
    /// The settings of the image and those of this check, by name; of two the last one counts.
    pub settings: Vec<(String, String)>,
    /// Mounted in the place of the image's list of authorities.
    pub roots: Option<PathBuf>,
    /// The negative control: the root is not read-only.
    pub writable: bool,
}

impl Place {
    /// The settings that the image comes with.
    pub fn new(work: &Path, root: PathBuf, start: &Start) -> Self {
        let settings = start.env.iter().filter_map(|one| one.split_once('='));
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { work: work.to_owned(), root, settings, roots: None, writable: false }
    }

    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.settings.push((name.to_owned(), value.into()));
    }

    /// The command that becomes these words in the image.
    fn command(&self, words: &[&str]) -> Result<Command> {
        let own = std::env::current_exe().map_err(|error| format!("The own program: {error}."))?;
        let mut command = Command::new("unshare");
        if !geteuid().is_root() {
            // The only way for somebody without rights: to have them in a namespace, until they are given up.
            let user = USER.to_string();
            command.args(["--user", "--map-user", &user, "--map-group", &user, "--keep-caps"]);
        }
        command.args(["--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child=KILL", "--"]);
        command.arg(own).arg(inside::COMMAND).arg("--root").arg(&self.root);
        for name in ["files", "hosts", "resolv"] {
            command.arg(format!("--{name}")).arg(self.work.join(name));
        }
        if let Some(roots) = &self.roots {
            command.arg("--roots").arg(roots);
        }
        command.args(["--writable", if self.writable { "yes" } else { "no" }, "--"]).args(words);
        command.env_clear().envs(self.settings.iter().cloned()).stdin(Stdio::null());
        Ok(command)
    }

    /// Runs words of the image to their end; what they have printed.
    pub fn run(&self, words: &[&str]) -> Result<String> {
        let output = self.command(words)?.output().map_err(|error| format!("unshare: {error}."))?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(format!(
                "{} in the image failed ({}):\n{}",
                words.join(" "),
                output.status,
                String::from_utf8_lossy(&output.stderr)
            ))
        }
    }

    /// What a program in the image can do.
    pub fn probe(&self) -> Result<Findings> {
        let text = self.run(&[inside::PROBE])?;
        serde_json::from_str(text.trim()).map_err(|error| format!("{text}: {error}."))
    }

    pub fn serve(&self, words: &[&str], log: &str) -> Result<Service> {
        let log = self.work.join(log);
        let file = File::create(&log).map_err(about(&log))?;
        let copy = file.try_clone().map_err(about(&log))?;
        let child = self.command(words)?.stdout(copy).stderr(file).spawn();
        Ok(Service { child: child.map_err(|error| format!("unshare: {error}."))?, log })
    }
}

/// A running service; it is killed when dropped.
pub struct Service {
    child: Child,
    log: PathBuf,
}

impl Service {
    /// Waits until it answers at this address.
    pub fn ready(&mut self, url: &str) -> Result<()> {
        let begun = Instant::now();
        while !ureq::get(url).call().is_ok_and(|answer| answer.status() == 200) {
            let ended = self.child.try_wait().map_err(|error| error.to_string())?;
            if ended.is_some() || begun.elapsed() > Duration::from_secs(60) {
                return Err(self.with_log("The service in the image does not answer."));
            }
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    pub fn with_log(&self, sentence: &str) -> String {
        format!("{sentence} Its log:\n{}", fs::read_to_string(&self.log).unwrap_or_default())
    }

    /// The process of the service itself, which is the first one in its namespace.
    fn first(&self) -> Result<Pid> {
        let id = self.child.id();
        let children = PathBuf::from(format!("/proc/{id}/task/{id}/children"));
        let text = fs::read_to_string(&children).map_err(about(&children))?;
        let first = text.split_whitespace().next().and_then(|text| text.parse().ok());
        first.and_then(Pid::from_raw).ok_or_else(|| "The service in the image has no process.".into())
    }

    /// The lines of the kernel about the process, by name.
    pub fn status(&self) -> Result<impl Fn(&str) -> String + use<>> {
        let path = PathBuf::from(format!("/proc/{}/status", self.first()?.as_raw_nonzero()));
        let text = fs::read_to_string(&path).map_err(about(&path))?;
        Ok(move |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.unwrap_or("(missing)").split_whitespace().collect::<Vec<_>>().join(" ")
        })
    }

    /// Asks it to end and waits.
    pub fn stop(mut self) -> Result<(ExitStatus, Duration)> {
        let begun = Instant::now();
        kill_process(self.first()?, Signal::TERM).map_err(|error| error.to_string())?;
        while begun.elapsed() < Duration::from_secs(40) {
            if let Some(status) = self.child.try_wait().map_err(|error| error.to_string())? {
                return Ok((status, begun.elapsed()));
            }
            std::thread::sleep(LOOK_EVERY);
        }
        Err(self.with_log("The service in the image goes on 40 s after SIGTERM."))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // What it has started ends with it (`--kill-child`).
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
