//! Interned names: one [`Symbol`] a distinct spelling, shared by all files of a run.
//!
//! The keywords come first, so that the lexer tells a keyword by its symbol.

use heddle_base::{Id, define_id};

use crate::token::{BUILTIN_TYPES, KEYWORDS};

define_id!(
    /// An interned name.
    pub Symbol, "sym"
);

/// The table of names.
#[derive(Debug)]
pub struct Interner {
    /// All spellings, end to end.
    text: String,
    /// Where each spelling ends in `text`.
    ends: Vec<u32>,
    /// Open addressing with linear probing, at most half full: 0 if free, else the hash's upper half and symbol + 1.
    slots: Vec<u64>,
}

impl Default for Interner {
    fn default() -> Self {
        let mut interner = Interner { text: String::new(), ends: Vec::new(), slots: vec![0; 4096] };
        for name in KEYWORDS.iter().map(|k| k.0).chain(BUILTIN_TYPES.iter().map(|t| t.0)) {
            interner.intern(name);
        }
        interner
    }
}

impl Interner {
    /// The symbol of `name`.
    #[inline]
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = hash(name.as_bytes());
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return self.add(name, hash);
            }
            if slot >> 32 == hash >> 32 {
                let symbol = Symbol::new((slot as u32 - 1) as usize);
                if self.name(symbol) == name {
                    return symbol;
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// The spelling of `symbol`.
    #[inline]
    pub fn name(&self, symbol: Symbol) -> &str {
        let index = symbol.index();
        let begin = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[begin..self.ends[index] as usize]
    }

    /// Number of names known.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no name is known.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    #[cold]
    fn add(&mut self, name: &str, hash: u64) -> Symbol {
        let symbol = Symbol::new(self.ends.len());
        self.text.push_str(name);
        self.ends.push(u32::try_from(self.text.len()).expect("less than 4 GiB of names"));
        if self.ends.len() * 2 > self.slots.len() {
            self.grow();
        } else {
            self.insert(hash, symbol);
        }
        symbol
    }

    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len() * 2];
        for index in 0..self.ends.len() {
            let symbol = Symbol::new(index);
            self.insert(hash(self.name(symbol).as_bytes()), symbol);
        }
    }

    fn insert(&mut self, hash: u64, symbol: Symbol) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = hash >> 32 << 32 | (symbol.index() as u64 + 1);
    }
}

/// A multiplicative hash: two reads that overlap cover most identifiers.
#[inline]
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let read8 = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let read4 = |at: usize| u64::from(u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")));
    let mix = |a: u64, b: u64| {
        let wide = u128::from(a ^ FACTOR).wrapping_mul(u128::from(b ^ 0xD6E8_FEB8_6659_FD93));
        (wide as u64) ^ (wide >> 64) as u64
    };
    let len = bytes.len();
    match len {
        0 => 0,
        1..=3 => {
            mix(u64::from(bytes[0]) | u64::from(bytes[len / 2]) << 8 | u64::from(bytes[len - 1]) << 16, len as u64)
        }
        4..=7 => mix(read4(0) | read4(len - 4) << 32, len as u64),
        _ => {
            let mut state = len as u64;
            let mut at = 0;
            while at + 16 < len {
                state = mix(state ^ read8(at), read8(at + 8));
                at += 16;
            }
            mix(state ^ read8(at.min(len - 8)), read8(len - 8))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_have_equal_symbols() {
        let mut interner = Interner::default();
        let names: Vec<String> = (0..20_000).map(|i| format!("name_{}_{i}", "x".repeat(i % 40))).collect();
        let symbols: Vec<Symbol> = names.iter().map(|n| interner.intern(n)).collect();
        for (name, &symbol) in names.iter().zip(&symbols) {
            assert_eq!(interner.intern(name), symbol);
            assert_eq!(interner.name(symbol), name);
        }
    }

    #[test]
    fn keywords_come_first() {
        let mut interner = Interner::default();
        for (index, (name, _)) in KEYWORDS.iter().enumerate() {
            assert_eq!(interner.intern(name).index(), index);
        }
    }
}
