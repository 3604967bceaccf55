//! Interned names: one [`Symbol`] a distinct spelling, shared by all files of a run.

use heddle_base::{Id, define_id};
use rustc_hash::FxHashMap;

define_id!(
    /// An interned name.
    pub Symbol, "sym"
);

/// The table of names.
#[derive(Default, Debug)]
pub struct Interner {
    map: FxHashMap<Box<str>, Symbol>,
    names: Vec<Box<str>>,
}

impl Interner {
    /// The symbol of `name`.
    #[inline]
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.map.get(name) {
            return symbol;
        }
        let symbol = Symbol::new(self.names.len());
        self.names.push(name.into());
        self.map.insert(name.into(), symbol);
        symbol
    }

    /// The spelling of `symbol`.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }

    /// Number of names known.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no name is known.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
