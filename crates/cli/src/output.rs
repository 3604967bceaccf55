//! Writing results: standard output, and files that are never left half-written.

use std::io::{self, Write};
use std::path::Path;

use crate::watchdog::{Answerer, claim};

/// Writes the answer, unless the watchdog has given it: then the process is about to end.
pub fn answer(text: &str) {
    claim_answer();
    write_answer(text);
}

/// From here on the command answers; if the watchdog has answered, the process is about to end.
fn claim_answer() {
    while !claim(Answerer::Command) {
        std::thread::park();
    }
}

/// Writes an answer. A reader that went away (`| head`) is no error of ours.
pub(crate) fn write_answer(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

/// Writes what a program printed, to where it printed it.
pub fn bytes(output: &[u8], errors: &[u8]) {
    claim_answer();
    for (out, bytes) in [(&mut io::stdout() as &mut dyn Write, output), (&mut io::stderr(), errors)] {
        let _ = out.write_all(bytes);
        let _ = out.flush();
    }
}

/// Writes a file as a whole: under another name first, so that an interrupted run leaves the old one or none.
pub fn save(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = Path::new(&name);
    let written = std::fs::write(part, text).and_then(|()| std::fs::rename(part, path));
    if written.is_err() {
        let _ = std::fs::remove_file(part);
    }
    written
}
