//! An object store of the drill's own, on a folder.

use std::{net::Ipv4Addr, path::Path, process::Stdio, time::Duration};

use rig::{Installation, Result, free_port};
use tokio::{
    net::TcpStream,
    process::{Child, Command},
};

use crate::context::{CannotRun, Context};

/// Starts one over this folder, and has the installation use it from now on. It goes when dropped.
pub async fn open(context: &Context, installation: &mut Installation, folder: &Path) -> Result<Child> {
    let Some(program) = &context.sandbox else {
        return Err(CannotRun("--sandbox is not given: the stand-in of the object store".to_owned()).into());
    };
    let ports = [free_port()?, free_port()?];
    let mut command = Command::new(program);
    command.args(["serve", "--data"]).arg(folder);
    command.args(["--s3-port", &ports[0].to_string(), "--smtp-port", &ports[1].to_string()]);
    for name in ["PULT_S3_ACCESS_KEY", "PULT_S3_SECRET_KEY", "PULT_S3_BUCKET"] {
        command.env(name, installation.setting(name));
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let store = command.kill_on_drop(true).spawn()?;
    installation.set("PULT_S3_ENDPOINT", &format!("http://127.0.0.1:{}", ports[0]));
    for _ in 0..200 {
        if TcpStream::connect((Ipv4Addr::LOCALHOST, ports[0])).await.is_ok() {
            return Ok(store);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err("the stand-in of the object store does not answer".into())
}
