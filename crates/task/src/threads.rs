//! Threads of an execution and their names.
//!
//! A thread is named by its path: the first is `0`, the `k`th thread that thread `p` starts is `p.k` (from 1). Numbers
//! are given to paths when they first occur and stay with them over all executions of one exploration; a schedule
//! carries the table, so that a replay sees the same numbers.

use heddle_base::{Id, IndexVec, define_id};
use rustc_hash::FxHashMap;

define_id!(
    /// A thread: `t0` is the first one. The program sees the index plus one.
    pub ThreadId, "t"
);

impl ThreadId {
    /// The first thread.
    pub fn main() -> Self {
        ThreadId::new(0)
    }

    /// The number that the program and memory know the thread by, from 1.
    pub fn number(self) -> u32 {
        self.index() as u32 + 1
    }

    /// The thread with this number.
    pub fn of_number(number: u32) -> Self {
        ThreadId::new(number as usize - 1)
    }
}

/// Paths of threads and the ids they got.
#[derive(Clone, Debug)]
pub struct ThreadNames {
    /// Parent and its number among the parent's children; the first thread is its own parent.
    names: IndexVec<ThreadId, (ThreadId, u32)>,
    ids: FxHashMap<(ThreadId, u32), ThreadId>,
}

impl Default for ThreadNames {
    fn default() -> Self {
        let mut names = IndexVec::new();
        names.push((ThreadId::main(), 0));
        ThreadNames { names, ids: FxHashMap::default() }
    }
}

impl ThreadNames {
    /// The id of the `k`th child (from 1) of a thread, given now if it is new.
    pub fn child(&mut self, parent: ThreadId, k: u32) -> ThreadId {
        if let Some(&id) = self.ids.get(&(parent, k)) {
            return id;
        }
        let id = self.names.push((parent, k));
        self.ids.insert((parent, k), id);
        id
    }

    /// The path of a thread.
    pub fn path(&self, id: ThreadId) -> String {
        if id == ThreadId::main() {
            return "0".to_owned();
        }
        let (parent, k) = self.names[id];
        format!("{}.{k}", self.path(parent))
    }

    /// The thread with a path, whose parent must be known; none if the path is malformed.
    pub fn intern(&mut self, path: &str) -> Option<ThreadId> {
        let Some((parent, k)) = path.rsplit_once('.') else {
            return (path == "0").then(ThreadId::main);
        };
        let k: u32 = k.parse().ok().filter(|&k| k > 0)?;
        let parent = self.known(parent)?;
        Some(self.child(parent, k))
    }

    /// The thread with a path, if it is known.
    pub fn known(&self, path: &str) -> Option<ThreadId> {
        self.names.ids().find(|&id| self.path(id) == path)
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: the first thread always has a name.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = ThreadId> {
        self.names.ids()
    }
}
