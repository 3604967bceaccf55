//! `--name value` flags of the chores, and `--smoke`, which has no value.

/// The flags of one call, taken out one by one.
pub struct Flags {
    left: Vec<(String, String)>,
    /// Whether a short run is asked for, the same each time, in the profile that is built anyway.
    pub smoke: bool,
}

impl Flags {
    /// Splits words into flags and their values.
    pub fn parse(words: &[&str]) -> Result<Self, String> {
        let smoke = words.contains(&"--smoke");
        let words: Vec<&str> = words.iter().copied().filter(|word| *word != "--smoke").collect();
        let mut left = Vec::new();
        for pair in words.chunks(2) {
            match pair {
                [name, value] if name.starts_with("--") => left.push(((*name).to_owned(), (*value).to_owned())),
                _ => return Err(format!("expected a flag and its value at `{}`", pair[0])),
            }
        }
        Ok(Flags { left, smoke })
    }

    /// The value of a flag, if it is given.
    pub fn text(&mut self, name: &str) -> Option<String> {
        let at = self.left.iter().position(|(flag, _)| flag == name)?;
        Some(self.left.remove(at).1)
    }

    /// The number that a flag gives.
    pub fn number(&mut self, name: &str, default: u64) -> Result<u64, String> {
        match self.text(name) {
            Some(text) => text.parse().map_err(|_| format!("{name} needs a number, not `{text}`")),
            None => Ok(default),
        }
    }

    /// `--count`, with one default for usual runs and one for short ones.
    pub fn count(&mut self, usual: u64, smoke: u64) -> Result<u64, String> {
        let default = if self.smoke { smoke } else { usual };
        self.number("--count", default)
    }

    /// Whether the run belongs into an optimised build and this is none.
    pub fn wants_release(&self) -> bool {
        cfg!(debug_assertions) && !self.smoke
    }

    /// Complains of flags that nobody asked for.
    pub fn finish(self) -> Result<(), String> {
        match self.left.first() {
            Some((name, _)) => Err(format!("unknown flag `{name}`")),
            None => Ok(()),
        }
    }
}
