//! `cargo xtask dist`: a release archive and a Debian package, under `target/dist/`.
//!
//! Both hold the binary, manual pages, completions, the licences and the README. The archive is made by `tar`; the package
//! is an `ar` file of two such archives, written here, so that no packaging tool is needed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::flags::Flags;

/// How the command is called.
pub const USAGE: &str = "cargo xtask dist [--binary FILE]";

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Builds everything.
pub fn run(words: &[&str]) -> Result<(), String> {
    let mut flags = Flags::parse(words).map_err(|error| format!("{error}\nusage: {USAGE}"))?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned();
    let binary = match flags.text("--binary") {
        Some(path) => PathBuf::from(path),
        None => {
            call(Command::new(env!("CARGO")).args(["build", "--release", "--package", "heddle"]).current_dir(&root))?;
            crate::native::target().join("release/heddle")
        }
    };
    flags.finish()?;
    let folder = crate::native::target().join("dist");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let machine = machine()?;
    let name = format!("heddle-{VERSION}-linux-{machine}");
    archive(&root, &binary, &folder, &name)?;
    package(&root, &binary, &folder, &machine)
}

/// Where a part is put: `bin`, `man`, completions and documents below one folder each.
struct Layout {
    binary: &'static str,
    man: &'static str,
    bash: &'static str,
    zsh: &'static str,
    fish: &'static str,
    documents: &'static str,
}

const FLAT: Layout = Layout {
    binary: "bin",
    man: "share/man/man1",
    bash: "share/bash-completion/completions",
    zsh: "share/zsh/site-functions",
    fish: "share/fish/vendor_completions.d",
    documents: ".",
};

const DEBIAN: Layout = Layout {
    binary: "usr/bin",
    man: "usr/share/man/man1",
    bash: "usr/share/bash-completion/completions",
    zsh: "usr/share/zsh/vendor-completions",
    fish: "usr/share/fish/vendor_completions.d",
    documents: "usr/share/doc/heddle",
};

/// Puts all parts into a folder.
fn fill(root: &Path, binary: &Path, into: &Path, layout: &Layout) -> Result<(), String> {
    let make = |part: &str| {
        let path = into.join(part);
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<PathBuf, String>(path)
    };
    let copy = |from: &Path, to: PathBuf| {
        std::fs::copy(from, &to).map(|_| ()).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
    };
    copy(binary, make(layout.binary)?.join("heddle"))?;
    call(Command::new(binary).arg("man").arg(make(layout.man)?))?;
    for (shell, folder, name) in
        [("bash", layout.bash, "heddle"), ("zsh", layout.zsh, "_heddle"), ("fish", layout.fish, "heddle.fish")]
    {
        let script = Command::new(binary).args(["completions", shell]).output();
        let script = script.map_err(|error| format!("{}: {error}", binary.display()))?;
        let path = make(folder)?.join(name);
        std::fs::write(&path, script.stdout).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let documents = make(layout.documents)?;
    for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&root.join(name), documents.join(name))?;
    }
    Ok(())
}

fn archive(root: &Path, binary: &Path, folder: &Path, name: &str) -> Result<(), String> {
    fill(root, binary, &folder.join(name), &FLAT)?;
    let file = folder.join(format!("{name}.tar.gz"));
    call(tar(&file, folder).arg(name))?;
    println!("{}", file.display());
    Ok(())
}

/// `tar` with everything owned by root and no trace of when and by whom it was made.
fn tar(file: &Path, folder: &Path) -> Command {
    let mut command = Command::new("tar");
    command.args(["--owner=0", "--group=0", "--numeric-owner", "--sort=name", "--mtime=@0", "-czf"]).arg(file);
    command.arg("-C").arg(folder);
    command
}

fn package(root: &Path, binary: &Path, folder: &Path, machine: &str) -> Result<(), String> {
    let architecture = match machine {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let (tree, control) = (folder.join("deb/data"), folder.join("deb/control"));
    fill(root, binary, &tree, &DEBIAN)?;
    std::fs::create_dir_all(&control).map_err(|error| format!("{}: {error}", control.display()))?;
    let text = format!(
        "Package: heddle\nVersion: {VERSION}\nArchitecture: {architecture}\nMaintainer: The Heddle developers <heddle@localhost>\n\
         Depends: libc6, libstdc++6, libgcc-s1, gcc, libc6-dev\nRecommends: binutils\nSuggests: gdb\nSection: devel\nPriority: optional\n\
         Description: verifier for multithreaded C\n Considers every interleaving of the threads of a C program: finds races, deadlocks and failing\n \
         assertions with an execution that shows them, or proves that there are none.\n"
    );
    let file = control.join("control");
    std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    let (data, information) = (folder.join("deb/data.tar.gz"), folder.join("deb/control.tar.gz"));
    call(tar(&data, &tree).arg("."))?;
    call(tar(&information, &control).arg("."))?;
    let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let members =
        [("debian-binary", b"2.0\n".to_vec()), ("control.tar.gz", read(&information)?), ("data.tar.gz", read(&data)?)];
    let path = folder.join(format!("heddle_{VERSION}_{architecture}.deb"));
    std::fs::write(&path, ar(&members)).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

/// An `ar` archive, as Debian packages are.
fn ar(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        out.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, "100644", bytes.len()).bytes());
        out.extend(bytes);
        if bytes.len() % 2 == 1 {
            out.push(b'\n');
        }
    }
    out
}

fn machine() -> Result<String, String> {
    let output = Command::new("uname").arg("-m").output().map_err(|error| format!("uname: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn call(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{name}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} ended with {status}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_have_even_members() {
        let bytes = ar(&[("debian-binary", b"2.0\n".to_vec()), ("x", b"abc".to_vec())]);
        assert_eq!(bytes.len(), 8 + 60 + 4 + 60 + 3 + 1);
        assert_eq!(&bytes[8 + 58..8 + 60], b"`\n");
    }
}
