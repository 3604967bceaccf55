//! Processes that the oracles start: gcc, compiled programs, and `heddle` itself.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Where cargo puts what it makes.
pub fn target() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace");
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// The `heddle` beside this program, which has the same profile; it is built first.
pub fn heddle() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let folder = own.parent().ok_or("this program lies nowhere")?;
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--profile", profile, "--package", "heddle"])
        .current_dir(root)
        .status()
        .map_err(|error| format!("cargo build: {error}"))?;
    if built.success() { Ok(folder.join("heddle")) } else { Err("heddle does not build".to_owned()) }
}

/// Runs a command with its output in files. Its exit code, -1 for a signal; none if it took too long.
pub fn finish(command: &mut Command, out: &Path, err: &Path, time: Duration) -> io::Result<Option<i32>> {
    let mut child = command.stdin(Stdio::null()).stdout(File::create(out)?).stderr(File::create(err)?).spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.code().unwrap_or(-1)));
        }
        if start.elapsed() > time {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
