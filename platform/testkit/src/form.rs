//! Forms with a file.

const BOUNDARY: &str = "----pult-test";

/// A form with these texts, and with this file when there is one.
#[must_use]
pub fn form(texts: &[(&str, &str)], file: Option<(&str, &str, &[u8])>) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in texts {
        body.extend(
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
                .bytes(),
        );
    }
    if let Some((name, file, bytes)) = file {
        body.extend(
            format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"; \
                filename=\"{file}\"\r\nContent-Type: image/png\r\n\r\n"
            )
            .bytes(),
        );
        body.extend(bytes);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{BOUNDARY}--\r\n").bytes());
    body
}

/// The header of such a form.
pub const FORM: (&str, &str) = ("content-type", "multipart/form-data; boundary=----pult-test");
