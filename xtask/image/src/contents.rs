//! The contents of the image.

use std::fs;

use base64::{Engine, engine::general_purpose::STANDARD};

use crate::{ROOTS, USER, layer::Layer, libraries::Library};

/// Everything that changes with the system or a crate, and not with each commit of ours.
pub fn base(libraries: &[Library]) -> Layer {
    let mut layer = Layer::default();
    for library in libraries {
        layer.file(&library.path, 0o755, library.bytes.clone());
        let Some(package) = &library.package else { continue };
        // The terms of its licence ask for it.
        let copyright = format!("usr/share/doc/{}/copyright", package.name);
        if let Ok(text) = fs::read(format!("/{copyright}")) {
            layer.file(&copyright, 0o644, text);
        }
    }
    layer.file(ROOTS, 0o644, roots());
    layer.file("etc/nsswitch.conf", 0o644, "passwd: files\ngroup: files\nhosts: files dns\n");
    let user = format!("root:x:0:0:root:/:/sbin/nologin\npult:x:{USER}:{USER}:pult:/:/sbin/nologin\n");
    layer.file("etc/passwd", 0o644, user);
    layer.file("etc/group", 0o644, format!("root:x:0:\npult:x:{USER}:\n"));
    for folder in ["dev", "proc", "sys"] {
        layer.folder(folder, 0o755, 0);
    }
    layer.folder("tmp", 0o1777, 0);
    layer.folder("files", 0o750, USER);
    layer
}

/// The binary and the list of what it is made of.
pub fn service(binary: Vec<u8>, materials: Vec<u8>) -> Layer {
    let mut layer = Layer::default();
    layer.file("pult", 0o755, binary);
    layer.file("sbom.json", 0o644, materials);
    layer
}

/// The authorities that browsers trust, as PEM. They come with a crate whose version `Cargo.lock` has, not from
/// the machine that builds, which may trust others too.
pub fn roots() -> String {
    webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().map(|one| pem(one)).collect()
}

fn pem(der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let mut out = String::from("-----BEGIN CERTIFICATE-----\n");
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(64));
        out.push_str(line);
        out.push('\n');
        rest = after;
    }
    out.push_str("-----END CERTIFICATE-----\n");
    out
}
