//! `oci-image make`: the image of a binary.

use std::{collections::BTreeMap, fs};

use chrono::{DateTime, SecondsFormat};
use serde::Serialize;

use crate::{
    Result, USER, about,
    arguments::Arguments,
    blobs::{self, Blobs, Descriptor},
    contents, libraries, materials,
};

/// The most bytes of the archive.
const LIMIT: u64 = 120_000_000;
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    schema_version: u8,
    media_type: &'static str,
    config: Descriptor,
    layers: Vec<Descriptor>,
    annotations: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Index {
    schema_version: u8,
    manifests: [Descriptor; 1],
}

/// What a container of this image is started with.
#[derive(Serialize)]
struct Image {
    created: String,
    architecture: &'static str,
    os: &'static str,
    config: Start,
    rootfs: Layers,
    history: Vec<Step>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Start {
    user: String,
    exposed_ports: BTreeMap<&'static str, Nothing>,
    env: Vec<String>,
    entrypoint: [&'static str; 1],
    cmd: [&'static str; 1],
    volumes: BTreeMap<&'static str, Nothing>,
    working_dir: &'static str,
    labels: BTreeMap<&'static str, String>,
    stop_signal: &'static str,
}

#[derive(Serialize)]
struct Nothing {}

#[derive(Serialize)]
struct Layers {
    #[serde(rename = "type")]
    kind: &'static str,
    diff_ids: Vec<String>,
}

#[derive(Serialize)]
struct Step {
    created: String,
    created_by: &'static str,
}

/// Writes the archive, the same as a folder, the list of materials and the image's digest.
pub fn run(arguments: &Arguments) -> Result<()> {
    let (binary, output) = (arguments.path("binary")?, arguments.path("output")?);
    let checkout = arguments.path("checkout")?;
    let (time, level): (i64, u8) = (arguments.number("time")?, arguments.number("level")?);
    let created = DateTime::from_timestamp(time, 0).ok_or("--time is no time.")?;
    let created = created.to_rfc3339_opts(SecondsFormat::Secs, true);
    let time = u64::try_from(time).map_err(|_| "--time is before 1970.")?;
    let read = |path: &str| fs::read_to_string(checkout.join(path)).map_err(about(&checkout.join(path)));
    let chart = read("platform/server/chart-contract")?.trim().to_owned();

    let libraries = libraries::of(&binary)?;
    let materials =
        materials::list(&arguments.path("materials")?, &read("Cargo.lock")?, &libraries, VERSION, &created)?;
    fs::create_dir_all(&output).map_err(about(&output))?;
    let list = output.join(format!("pult-{VERSION}.cdx.json"));
    fs::write(&list, &materials).map_err(about(&list))?;
    let bytes = fs::read(&binary).map_err(about(&binary))?;

    let labels = BTreeMap::from([
        ("example.pult.chart", chart),
        ("org.opencontainers.image.created", created.clone()),
        ("org.opencontainers.image.licenses", "LicenseRef-Proprietary".to_owned()),
        ("org.opencontainers.image.revision", arguments.need("revision")?.to_owned()),
        ("org.opencontainers.image.title", "pult".to_owned()),
        ("org.opencontainers.image.version", VERSION.to_owned()),
    ]);
    let mut blobs = Blobs::default();
    let (mut layers, mut diff_ids, mut unpacked) = (Vec::new(), Vec::new(), 0);
    for layer in [contents::base(&libraries), contents::service(bytes, materials)] {
        let archive = layer.archive(time)?;
        unpacked += archive.len();
        diff_ids.push(blobs::digest(&archive));
        layers.push(blobs.add(blobs::LAYER, blobs::gzip(&archive, level)));
    }
    let config = blobs.add(blobs::CONFIG, json(&image(&created, diff_ids, labels.clone()))?);
    let manifest =
        Manifest { schema_version: 2, media_type: blobs::MANIFEST, config, layers, annotations: labels };
    let mut manifest = blobs.add(blobs::MANIFEST, json(&manifest)?);
    manifest.annotations.insert("org.opencontainers.image.ref.name".to_owned(), VERSION.to_owned());
    let (digest, size) = (manifest.digest.clone(), blobs.size());
    let index = json(&Index { schema_version: 2, manifests: [manifest] })?;
    let (folder, archive) =
        (output.join(format!("pult-{VERSION}")), output.join(format!("pult-{VERSION}.tar")));
    blobs.write(index, &folder, &archive, time)?;
    let file = output.join("digest");
    fs::write(&file, format!("{digest}\n")).map_err(about(&file))?;
    println!(
        "  {}\n  {digest}\n  {:.1} MB, unpacked {:.1} MB; {} libraries, {} authorities",
        archive.display(),
        size as f64 / 1e6,
        unpacked as f64 / 1e6,
        libraries.len(),
        webpki_root_certs::TLS_SERVER_ROOT_CERTS.len()
    );
    if size > LIMIT {
        return Err(format!("The image has {size} bytes; it may have {LIMIT}."));
    }
    Ok(())
}

fn image(created: &str, diff_ids: Vec<String>, labels: BTreeMap<&'static str, String>) -> Image {
    let step = |created_by| Step { created: created.to_owned(), created_by };
    Image {
        created: created.to_owned(),
        architecture: match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        },
        os: "linux",
        config: Start {
            user: format!("{USER}:{USER}"),
            exposed_ports: BTreeMap::from([("8080/tcp", Nothing {}), ("9090/tcp", Nothing {})]),
            env: vec![
                "PULT_LISTEN=0.0.0.0:8080".to_owned(),
                "PULT_METRICS_LISTEN=0.0.0.0:9090".to_owned(),
                "PULT_FILES_DIR=/files".to_owned(),
            ],
            entrypoint: ["/pult"],
            cmd: ["serve"],
            volumes: BTreeMap::from([("/files", Nothing {}), ("/tmp", Nothing {})]),
            working_dir: "/",
            labels,
            stop_signal: "SIGTERM",
        },
        rootfs: Layers { kind: "layers", diff_ids },
        history: vec![step("libraries, authorities, users"), step("the service")],
    }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| error.to_string())
}
