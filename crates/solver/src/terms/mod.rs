//! Hash-consed terms in an arena.
//!
//! A [`TermId`] is an index into its [`Terms`]; equal terms have equal ids, so equality of terms is equality of
//! numbers, and tables over terms are vectors. [`Terms::apply`] is the one way in: it checks sorts, then rewrites
//! (`rewrite`, `rewrite_bool`, `rewrite_bv`, `rewrite_bits`, `rewrite_array`), then interns. What it returns is
//! equivalent to what was asked for, and often smaller. The named constructors in `build` and `derived` call it and
//! panic with the [`SortError`] when the sorts do not fit, as an index out of bounds would.
//!
//! All traversals use a stack of their own: a term may be a million operators deep.

mod build;
mod derived;
mod display;
mod known;
mod op;
mod rewrite;
mod rewrite_array;
mod rewrite_bits;
mod rewrite_bool;
mod rewrite_bv;
mod traverse;

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use heddle_base::{Id, IndexVec, define_id};
use rustc_hash::{FxHashMap, FxHasher};

pub use self::known::KnownBits;
pub use self::op::{ConstId, FloatClass, Op, VarId};
pub(crate) use self::op::{array_op, bits_op, bits_predicate, core_op, float_op, leaf_op, to_float_op};

use crate::bits::Bits;
use crate::sort::{Sort, SortError};

define_id!(
    /// A term of a [`Terms`].
    pub TermId, "t"
);

/// The arena of terms.
#[derive(Clone)]
pub struct Terms {
    nodes: IndexVec<TermId, Node>,
    known: IndexVec<TermId, KnownBits>,
    args: Vec<TermId>,
    table: HashTable<TermId>,
    consts: IndexVec<ConstId, Bits>,
    const_ids: FxHashMap<Bits, ConstId>,
    /// Bit-vector constants of up to 64 bits, by width and value: nearly all that are ever asked for.
    words: FxHashMap<(u32, u64), TermId>,
    vars: IndexVec<VarId, Variable>,
    var_names: FxHashMap<Box<str>, VarId>,
    /// How deep rewriting has recursed; rules stop applying beyond a limit, which bounds the stack.
    depth: u32,
}

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    sort: Sort,
    args_start: u32,
    args_len: u32,
    /// Whether a float occurs anywhere in the term.
    has_float: bool,
}

#[derive(Clone)]
struct Variable {
    name: Box<str>,
    term: TermId,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// The term `true` of every store.
    pub const TRUE: TermId = TermId(0);
    /// The term `false` of every store.
    pub const FALSE: TermId = TermId(1);

    /// A store with nothing but `true` and `false`.
    pub fn new() -> Self {
        let mut terms = Terms {
            nodes: IndexVec::new(),
            known: IndexVec::new(),
            args: Vec::new(),
            table: HashTable::new(),
            consts: IndexVec::new(),
            const_ids: FxHashMap::default(),
            words: FxHashMap::default(),
            vars: IndexVec::new(),
            var_names: FxHashMap::default(),
            depth: 0,
        };
        terms.intern(Op::Bool(true), Sort::Bool, &[]);
        terms.intern(Op::Bool(false), Sort::Bool, &[]);
        terms
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: `true` and `false` are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The operator of a term.
    #[inline]
    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term].op
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: TermId) -> Sort {
        self.nodes[term].sort
    }

    /// The arguments of a term.
    #[inline]
    pub fn args(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term];
        &self.args[node.args_start as usize..][..node.args_len as usize]
    }

    /// Argument `i` of a term.
    #[inline]
    pub(crate) fn arg(&self, term: TermId, i: usize) -> TermId {
        self.args(term)[i]
    }

    /// The width of a bit vector or of a float's pattern; 1 for other sorts.
    #[inline]
    pub(crate) fn width(&self, term: TermId) -> u32 {
        self.sort(term).width().unwrap_or(1)
    }

    /// The value of a bit-vector or float constant.
    #[inline]
    pub fn as_const(&self, term: TermId) -> Option<&Bits> {
        match self.op(term) {
            Op::Const(id) => Some(&self.consts[id]),
            _ => None,
        }
    }

    /// The value of a Boolean constant.
    #[inline]
    pub fn as_bool(&self, term: TermId) -> Option<bool> {
        match term {
            Self::TRUE => Some(true),
            Self::FALSE => Some(false),
            _ => None,
        }
    }

    /// Whether a float occurs anywhere in a term.
    #[inline]
    pub(crate) fn has_float(&self, term: TermId) -> bool {
        self.nodes[term].has_float
    }

    /// What is known of a bit vector's bits without solving.
    #[inline]
    pub fn known_bits(&self, term: TermId) -> KnownBits {
        self.known[term]
    }

    /// Whether an id can be one of this store's.
    pub fn contains(&self, term: TermId) -> bool {
        term.index() < self.nodes.len()
    }

    /// All variables in the order of their creation.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = (VarId, TermId)> + '_ {
        self.vars.iter_enumerated().map(|(id, v)| (id, v.term))
    }

    /// The name of a variable.
    pub fn var_name(&self, var: VarId) -> &str {
        &self.vars[var].name
    }

    /// The term of a variable.
    pub fn var_term(&self, var: VarId) -> TermId {
        self.vars[var].term
    }

    /// The variable of this name, made now if there is none.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Result<TermId, SortError> {
        sort.check()?;
        if let Some(&id) = self.var_names.get(name) {
            let term = self.vars[id].term;
            return if self.sort(term) == sort { Ok(term) } else { Err(SortError::Redeclared(name.to_owned())) };
        }
        let id = self.vars.next_id();
        let term = self.intern(Op::Var(id), sort, &[]);
        self.vars.push(Variable { name: name.into(), term });
        self.var_names.insert(name.into(), id);
        Ok(term)
    }

    /// A variable that is not the same as any other, named after `hint`.
    pub fn fresh(&mut self, hint: &str, sort: Sort) -> Result<TermId, SortError> {
        let mut n = self.vars.len();
        loop {
            let name = format!("{hint}!{n}");
            if !self.var_names.contains_key(name.as_str()) {
                return self.variable(&name, sort);
            }
            n += 1;
        }
    }

    /// A constant.
    ///
    /// # Panics
    ///
    /// If it is wider than [`MAX_WIDTH`](crate::MAX_WIDTH).
    #[track_caller]
    pub fn constant(&mut self, value: Bits) -> TermId {
        let sort = Sort::BitVec(value.width()).check().unwrap_or_else(|error| panic!("{error}"));
        self.constant_of(sort, value)
    }

    /// A constant of a bit-vector or float sort of this width.
    pub(crate) fn constant_of(&mut self, sort: Sort, value: Bits) -> TermId {
        debug_assert_eq!(sort.width(), Some(value.width()));
        let id = match self.const_ids.get(&value) {
            Some(&id) => id,
            None => {
                let id = self.consts.push(value.clone());
                self.const_ids.insert(value, id);
                id
            }
        };
        self.intern(Op::Const(id), sort, &[])
    }

    /// The term `op(args)`, rewritten.
    pub fn apply(&mut self, op: Op, args: &[TermId]) -> Result<TermId, SortError> {
        if let Some(&term) = args.iter().find(|&&t| !self.contains(t)) {
            return Err(SortError::Unknown(term));
        }
        let sorts: smallvec::SmallVec<[Sort; 4]> = args.iter().map(|&t| self.sort(t)).collect();
        let sort = op.result_sort(&sorts)?;
        Ok(self.rewrite(op, sort, args))
    }

    /// [`apply`](Self::apply) for callers that know their sorts.
    #[track_caller]
    pub(crate) fn make(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.apply(op, args).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The id of exactly this term, without rewriting.
    fn intern(&mut self, op: Op, sort: Sort, args: &[TermId]) -> TermId {
        let hash = hash_of(op, sort, args);
        let (nodes, arena) = (&self.nodes, &self.args);
        let args_of = |node: &Node| &arena[node.args_start as usize..][..node.args_len as usize];
        let same = |&id: &TermId| {
            let node = &nodes[id];
            node.op == op && node.sort == sort && args_of(node) == args
        };
        if let Some(&found) = self.table.find(hash, same) {
            return found;
        }
        let known = self.known_of(op, sort, args, |arg| self.known[arg]);
        let has_float = matches!(sort, Sort::Float(_)) || args.iter().any(|&t| self.has_float(t));
        let (args_start, args_len) = (self.args.len() as u32, args.len() as u32);
        let node = Node { op, sort, args_start, args_len, has_float };
        self.args.extend_from_slice(args);
        let id = self.nodes.push(node);
        self.known.push(known);
        let (nodes, arena) = (&self.nodes, &self.args);
        self.table.insert_unique(hash, id, |&id| {
            let node = &nodes[id];
            hash_of(node.op, node.sort, &arena[node.args_start as usize..][..node.args_len as usize])
        });
        id
    }
}

fn hash_of(op: Op, sort: Sort, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    (op, sort, args).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
