//! A certificate for `--https`: a small authority of this machine, and a certificate from it for the
//! addresses under which a tablet in the same network reaches the service. A tablet trusts the authority
//! once; a new address needs only a new certificate.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    Result,
    process::{self, Output},
    progress::Step,
    project, sys,
};

/// Files to serve with.
pub struct Certificate {
    /// Certificate with its authority, PEM.
    pub chain: PathBuf,
    /// Its key, PEM.
    pub key: PathBuf,
    /// The authority's certificate, which a tablet has to trust.
    pub authority: PathBuf,
}

/// Makes the authority: its key and its certificate. Its name follows.
const AUTHORITY: &str = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
    -addext keyUsage=critical,keyCertSign,cRLSign -keyout authority-key.pem -out authority.pem -subj";
/// Makes the key of the service and the request for its certificate.
const REQUEST: &str = "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=Pult -keyout key.pem \
    -out request.pem";
/// Makes the certificate. 800 days: tablets refuse certificates that live longer than 825.
const SIGNATURE: &str = "x509 -req -in request.pem -CA authority.pem -CAkey authority-key.pem -CAcreateserial \
    -days 800 -extfile extensions -out leaf.pem";
/// Fails where the certificate ends within a week.
const CHECK: &str = "x509 -checkend 604800 -noout -in certificate.pem";

/// Makes what is missing, or out of date, in `folder`.
pub fn ensure(folder: &Path) -> Result<Certificate> {
    let mut step = Step::begin("Certificate", "reading the address of this machine");
    project::make_folder(folder)?;
    let address = sys::lan_address();
    let file = |name: &str| folder.join(name);
    let log = file("openssl.log");
    let certificate = Certificate {
        chain: file("certificate.pem"),
        key: file("key.pem"),
        authority: file("authority.pem"),
    };
    let mut openssl = |arguments: &str, name: Option<&str>| {
        let mut command = process::command("openssl");
        command.args(arguments.split(' ').chain(name)).current_dir(folder);
        process::run(&mut command, &Output::Log(&log), &mut step).map_err(|error| {
            if error.ends_with("is not installed.") {
                "--https needs the program openssl: `apt-get install openssl`.".into()
            } else {
                error
            }
        })
    };
    if !certificate.authority.exists() || !file("authority-key.pem").exists() {
        openssl(AUTHORITY, Some("/CN=Pult on this machine"))?;
        let _ = fs::remove_file(file("names"));
    }
    let mut names = vec!["DNS:localhost".to_owned(), "IP:127.0.0.1".to_owned()];
    names.extend(address.map(|address| format!("IP:{address}")));
    let names = names.join(",");
    let current =
        fs::read_to_string(file("names")).is_ok_and(|text| text == names) && openssl(CHECK, None).is_ok();
    if !current {
        let extensions =
            format!("subjectAltName={names}\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n");
        write(&file("extensions"), &extensions)?;
        openssl(REQUEST, None)?;
        openssl(SIGNATURE, None)?;
        let chain = [file("leaf.pem"), file("authority.pem")]
            .map(|path| fs::read_to_string(path).unwrap_or_default())
            .concat();
        write(&certificate.chain, &chain)?;
        write(&file("names"), &names)?;
    }
    step.done(&names);
    Ok(certificate)
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}.", path.display()))
}
