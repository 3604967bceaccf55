//! Which names are typedefs, through block scopes.
//!
//! A table by symbol holds what each name is now; entering a scope marks the log of changes, leaving it undoes them. So a
//! look-up is one load.

use heddle_base::Id;

use crate::ast::TypeSpec;
use crate::intern::Symbol;
use crate::token::{BUILTIN_TYPES, KEYWORDS};

/// What a name is to the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Other,
    Typedef,
    /// A type that is known without a declaration.
    Builtin,
}

pub(super) struct Names {
    meanings: Vec<Meaning>,
    changes: Vec<(Symbol, Meaning)>,
    scopes: Vec<usize>,
}

impl Names {
    /// For the first `count` symbols; others are no typedefs.
    pub fn new(count: usize) -> Self {
        let mut meanings = vec![Meaning::Other; count];
        for meaning in &mut meanings[KEYWORDS.len()..][..BUILTIN_TYPES.len()] {
            *meaning = Meaning::Builtin;
        }
        Names { meanings, changes: Vec::new(), scopes: Vec::new() }
    }

    #[inline]
    pub fn is_typedef(&self, name: Symbol) -> bool {
        self.meaning(name) != Meaning::Other
    }

    /// The type that a typedef name stands for.
    #[inline]
    pub fn type_of(&self, name: Symbol) -> Option<TypeSpec> {
        match self.meaning(name) {
            Meaning::Other => None,
            Meaning::Typedef => Some(TypeSpec::Typedef(name)),
            Meaning::Builtin => Some(BUILTIN_TYPES[name.index() - KEYWORDS.len()].1),
        }
    }

    #[inline]
    fn meaning(&self, name: Symbol) -> Meaning {
        self.meanings.get(name.index()).copied().unwrap_or(Meaning::Other)
    }

    pub fn declare(&mut self, name: Symbol, is_typedef: bool) {
        let new = if is_typedef { Meaning::Typedef } else { Meaning::Other };
        let Some(meaning) = self.meanings.get_mut(name.index()) else { return };
        if *meaning != new {
            self.changes.push((name, *meaning));
            *meaning = new;
        }
    }

    #[inline]
    pub fn open_scope(&mut self) {
        self.scopes.push(self.changes.len());
    }

    #[inline]
    pub fn close_scope(&mut self) {
        let mark = self.scopes.pop().unwrap_or(0);
        while self.changes.len() > mark {
            let Some((name, meaning)) = self.changes.pop() else { return };
            self.meanings[name.index()] = meaning;
        }
    }

    /// A mark to which [`close_to`](Self::close_to) can return when an error left scopes open.
    pub fn scope_depth(&self) -> usize {
        self.scopes.len()
    }

    pub fn close_to(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            self.close_scope();
        }
    }
}
