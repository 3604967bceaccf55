//! What tests against gcc share: random numbers, a scratch directory, the compiler.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Random numbers that are the same in every run (xorshift64*).
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.bits() >> 33) % n as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A directory of its own, removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new, empty directory.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("heddle-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a writable temporary directory");
        Scratch(path)
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a writable temporary directory");
        path
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Whatever is left is in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs gcc; `None` where there is none.
pub fn gcc(args: &[&str], file: &Path) -> Option<Output> {
    Command::new("gcc").args(args).arg(file).output().ok()
}

/// Whether gcc is there and takes the flag.
pub fn gcc_takes(flag: &str, scratch: &Scratch) -> bool {
    let file = scratch.write("probe.c", "int x;\n");
    gcc(&[flag, "-fsyntax-only"], &file).is_some_and(|output| output.status.success())
}
