//! SMT-LIB 2: queries as text, and solvers that read it.
//!
//! [`script`] prints any query, one definition a shared part, so that the text is as small as the query and no line
//! is deep. [`ExternalSolver`] sends such a text to another solver and reads the answer, the model and the core back
//! into the same [`Answer`](crate::Answer) that [`Solver`](crate::Solver) gives.

mod external;
mod parse;
mod print;

pub use self::external::{ExternalError, ExternalSolver};
pub use self::parse::ParseError;
pub use self::print::script;

use std::path::{Path, PathBuf};

/// A directory into which queries are written, one numbered file each.
#[derive(Clone, Debug)]
pub struct Dump {
    directory: PathBuf,
    next: u32,
}

impl Dump {
    /// Files go to this directory, which must exist.
    pub fn new(directory: &Path) -> Self {
        Dump { directory: directory.to_owned(), next: 0 }
    }

    /// Writes one query, and returns where.
    pub fn write(&mut self, script: &str) -> std::io::Result<PathBuf> {
        let path = self.directory.join(format!("query-{:05}.smt2", self.next));
        self.next += 1;
        std::fs::write(&path, script)?;
        Ok(path)
    }
}
