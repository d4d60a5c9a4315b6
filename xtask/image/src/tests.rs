use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use oci_spec::image::{Arch, ImageConfiguration, ImageIndex, ImageManifest, MediaType, OciLayout, Os};

use crate::{
    ROOTS, arguments::Arguments, blobs, contents, dns, layer::Layer, libraries, make, materials, opened,
    opened::Opened,
};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("oci-image-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The image of a small program of this machine.
fn made(folder: &Path, binary: &Path) -> String {
    let list = r#"{"components": [{"name": "a", "version": "1", "bom-ref": "pkg:cargo/a@1"}]}"#;
    for name in ["service", "interface"] {
        fs::write(folder.join(format!("{name}.cdx.json")), list).unwrap();
    }
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let words = [
        ("binary", binary.display().to_string()),
        ("output", folder.display().to_string()),
        ("checkout", checkout.display().to_string()),
        ("materials", folder.display().to_string()),
        ("revision", "0123456789".to_owned()),
        ("time", "1700000000".to_owned()),
        ("level", "6".to_owned()),
    ];
    let words: Vec<String> =
        words.into_iter().flat_map(|(name, value)| [format!("--{name}"), value]).collect();
    make::run(&Arguments::read(&words).unwrap()).unwrap();
    fs::read_to_string(folder.join("digest")).unwrap().trim().to_owned()
}

#[test]
fn the_same_binary_is_the_same_image_and_others_can_read_it() {
    let (one, other) = (Folder::new("one"), Folder::new("other"));
    let digest = made(&one.0, Path::new("/bin/true"));
    // Another file with the same bytes, of another time and with other rights.
    let copy = other.0.join("copy");
    fs::copy("/bin/true", &copy).unwrap();
    let file = fs::File::options().append(true).open(&copy).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(5)).unwrap();
    assert_eq!(made(&other.0, &copy), digest);
    let archive = |folder: &Folder| fs::read(opened::archive_in(&folder.0).unwrap()).unwrap();
    assert!(archive(&one) == archive(&other));
    // The control: one byte more is another image.
    fs::write(&copy, [fs::read("/bin/true").unwrap(), vec![0]].concat()).unwrap();
    assert_ne!(made(&other.0, &copy), digest);

    let layout = one.0.join(format!("pult-{}", env!("CARGO_PKG_VERSION")));
    assert_eq!(OciLayout::from_file(layout.join("oci-layout")).unwrap().image_layout_version(), "1.0.0");
    let index = ImageIndex::from_file(layout.join("index.json")).unwrap();
    let blob = |digest: &oci_spec::image::Digest| layout.join("blobs/sha256").join(digest.digest());
    let [descriptor] = &index.manifests()[..] else { unreachable!() };
    assert_eq!(descriptor.digest().to_string(), digest);
    let manifest = ImageManifest::from_file(blob(descriptor.digest())).unwrap();
    assert_eq!(manifest.media_type(), &Some(MediaType::ImageManifest));
    assert_eq!(manifest.layers().len(), 2);
    assert!(manifest.layers().iter().all(|layer| layer.media_type() == &MediaType::ImageLayerGzip));
    let image = ImageConfiguration::from_file(blob(manifest.config().digest())).unwrap();
    assert_eq!(image.os(), &Os::Linux);
    assert!([&Arch::Amd64, &Arch::ARM64].contains(&image.architecture()));
    let start = image.config().as_ref().unwrap();
    assert_eq!(start.user().as_deref(), Some("65532:65532"));
    let contract = include_str!("../../../platform/server/chart-contract").trim();
    assert_eq!(start.labels().as_ref().unwrap()["example.pult.chart"], contract);
    assert_eq!(image.created().as_deref(), Some("2023-11-14T22:13:20Z"));
}

#[test]
fn a_damaged_image_is_not_taken() {
    let folder = Folder::new("damaged");
    made(&folder.0, Path::new("/bin/true"));
    let path = opened::archive_in(&folder.0).unwrap();
    let image = Opened::read(&path).unwrap();
    assert_eq!(image.start.volumes.keys().collect::<Vec<_>>(), ["/files", "/tmp"]);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let why = Opened::read(&path).err().unwrap();
    assert!(why.contains("is not what its name says"), "{why}");
}

#[test]
fn files_with_rights_that_none_needs_are_found() {
    let folder = Folder::new("rights");
    for (name, mode) in [("special", 0o4755), ("open", 0o666)] {
        let mut layer = Layer::default();
        layer.file(name, mode, "");
        let image = Opened::of_layers(vec![layer.archive(0).unwrap()]);
        let why = image.unpack(&folder.0.join(name), false).unwrap_err();
        assert!(why.starts_with(&format!("{name} in the image has the mode")), "{why}");
    }
}

#[test]
fn layers_are_sorted_and_each_folder_is_there_before_what_is_in_it() {
    let mut layer = Layer::default();
    layer.file("lib64/b", 0o755, "b");
    layer.file("lib/x/a", 0o644, "a");
    layer.folder("tmp", 0o1777, 7);
    let archive = layer.archive(9).unwrap();
    let entries: Vec<(String, u32, u64, u64)> = tar::Archive::new(archive.as_slice())
        .entries()
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let header = entry.header();
            let path = entry.path().unwrap().display().to_string();
            (path, header.mode().unwrap(), header.uid().unwrap(), header.mtime().unwrap())
        })
        .collect();
    let wanted = [
        ("lib", 0o755, 0),
        ("lib/x", 0o755, 0),
        ("lib/x/a", 0o644, 0),
        ("lib64", 0o755, 0),
        ("lib64/b", 0o755, 0),
        ("tmp", 0o1777, 7),
    ];
    assert_eq!(entries, wanted.map(|(path, mode, owner)| (path.to_owned(), mode, owner, 9)));
}

#[test]
fn what_is_compressed_is_what_gunzip_reads() {
    let folder = Folder::new("gzip");
    let bytes: Vec<u8> = (0..100_000_u32).flat_map(|number| (number / 7).to_le_bytes()).collect();
    let path = folder.0.join("layer.gz");
    fs::write(&path, blobs::gzip(&bytes, 6)).unwrap();
    let output = std::process::Command::new("gzip").arg("-dc").arg(&path).output().unwrap();
    assert!(output.status.success() && output.stdout == bytes);
    assert!(opened::unzipped(&blobs::gzip(&bytes, 1)).unwrap() == bytes);
}

#[test]
fn the_list_of_authorities_is_whole() {
    let roots = contents::roots();
    assert!(roots.lines().all(|line| line.len() <= 64));
    let count = roots.matches("-----BEGIN CERTIFICATE-----\n").count();
    assert!(count > 80, "{count}");
    assert_eq!(count, roots.matches("-----END CERTIFICATE-----\n").count());
    assert!(ROOTS.starts_with("etc/"));
}

#[test]
fn libraries_are_read_as_the_loader_lists_them() {
    let text = "\tlinux-vdso.so.1 (0x00007f33fbd88000)\n\tlibm.so.6 => /lib/x/libm.so.6 (0x00007f33fbc76000)\n\
        \t/lib64/ld-linux-x86-64.so.2 (0x00007f33fbd8a000)\n";
    assert_eq!(libraries::paths(text).unwrap(), ["/lib/x/libm.so.6", "/lib64/ld-linux-x86-64.so.2"]);
    let why = libraries::paths("\tlibfoo.so.1 => not found\n").unwrap_err();
    assert!(why.contains("libfoo.so.1"), "{why}");
    assert!(libraries::paths("\tstatically linked\n").is_err());
}

#[test]
fn a_crate_of_the_lock_file_is_found() {
    let lock =
        "[[package]]\nname = \"ab\"\nversion = \"1.0\"\n\n[[package]]\nname = \"b\"\nversion = \"2.0\"\n";
    assert_eq!(materials::locked(lock, "b"), Some("2.0"));
    assert_eq!(materials::locked(lock, "a"), None);
}

#[test]
fn the_name_server_knows_its_names_alone() {
    let question = |name: &str, kind: u8| {
        let mut bytes = vec![1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        for part in name.split('.') {
            bytes.push(part.len() as u8);
            bytes.extend(part.as_bytes());
        }
        bytes.extend([0, 0, kind, 0, 1]);
        bytes
    };
    let known = ["a.example"];
    let (reply, found) = dns::answer(&question("A.example", 1), &known).unwrap();
    assert!(found && reply.starts_with(&[1, 2, 0x81, 0x80]) && reply.ends_with(&[127, 0, 0, 1]));
    let (reply, found) = dns::answer(&question("a.example", 28), &known).unwrap();
    assert!(!found && reply[3] == 0x80);
    let (reply, found) = dns::answer(&question("b.example", 1), &known).unwrap();
    assert!(!found && reply[3] == 0x83);
    assert!(dns::answer(&[1, 2, 3], &known).is_none());
}
