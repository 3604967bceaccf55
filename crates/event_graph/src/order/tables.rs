//! The event graph as flat tables, sorted for the questions of the rules.

use heddle_base::{Id, define_id};
use heddle_solver::Lit;

use crate::graph::{EventGraph, ReadId};
use crate::reach::{Chains, Pos};

define_id!(
    /// A source, by read and position of its write.
    pub(crate) SourceId, "rf"
);
define_id!(
    /// A rival, by read and position of its write.
    pub(crate) RivalId, "v"
);

/// A possible source of a read.
#[derive(Clone, Copy)]
pub(crate) struct SourceEntry {
    pub(crate) lit: Lit,
    pub(crate) read: ReadId,
    /// The node of the write.
    pub(crate) write: Pos,
    /// The node of the read.
    pub(crate) at: Pos,
    /// The same write as a rival.
    pub(crate) as_rival: Option<RivalId>,
}

/// A possible rival of a read.
#[derive(Clone, Copy)]
pub(crate) struct RivalEntry {
    pub(crate) lit: Lit,
    pub(crate) read: ReadId,
    /// The node of the write.
    pub(crate) write: Pos,
}

/// Where a literal occurs.
#[derive(Clone, Copy)]
pub(crate) enum Use {
    Source(SourceId),
    Rival(RivalId),
}

/// Lists of one kind of things for each of another kind, in one array.
#[derive(Clone)]
pub(crate) struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    /// Groups pairs by their first component, in the order given.
    fn group(count: usize, pairs: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut starts = vec![0u32; count + 1];
        for (key, _) in pairs.clone() {
            starts[key + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut items: Vec<Option<T>> = vec![None; starts[count] as usize];
        for (key, item) in pairs {
            items[next[key] as usize] = Some(item);
            next[key] += 1;
        }
        Lists { starts, items: items.into_iter().flatten().collect() }
    }

    #[inline]
    pub(crate) fn get(&self, key: usize) -> &[T] {
        match self.starts.get(key + 1) {
            Some(&end) => &self.items[self.starts[key] as usize..end as usize],
            None => &[],
        }
    }

    /// The indices of a key's items.
    #[inline]
    pub(crate) fn span(&self, key: usize) -> (usize, usize) {
        (self.starts[key] as usize, self.starts[key + 1] as usize)
    }
}

/// All tables.
pub(crate) struct Tables {
    pub(crate) chains: Chains,
    sources: Lists<SourceEntry>,
    rivals: Lists<RivalEntry>,
    reads: Lists<ReadId>,
    uses: Lists<Use>,
}

impl Tables {
    pub(crate) fn new(graph: &EventGraph) -> Self {
        let chains = graph.fixed().0.clone();
        let reads = graph.read_count();
        let mut sources: Vec<SourceEntry> = graph
            .sources()
            .iter()
            .map(|s| SourceEntry {
                lit: s.lit,
                read: s.read,
                write: chains.pos(graph.write_node(s.write)),
                at: chains.pos(graph.read_node(s.read)),
                as_rival: None,
            })
            .collect();
        sources.sort_by_key(|s| (s.read, s.write));
        let mut rivals: Vec<RivalEntry> = graph
            .rivals()
            .iter()
            .map(|r| RivalEntry { lit: r.lit, read: r.read, write: chains.pos(graph.write_node(r.write)) })
            .collect();
        rivals.sort_by_key(|r| (r.read, r.write));
        for source in &mut sources {
            let found = rivals.binary_search_by_key(&(source.read, source.write), |r| (r.read, r.write));
            source.as_rival = found.ok().map(RivalId::new);
        }
        let of_lits = sources.iter().enumerate().map(|(i, s)| (s.lit.code(), Use::Source(SourceId::new(i))));
        let of_lits =
            of_lits.chain(rivals.iter().enumerate().map(|(i, r)| (r.lit.code(), Use::Rival(RivalId::new(i)))));
        let codes = of_lits.clone().map(|(code, _)| code + 1).max().unwrap_or(0);
        let of_nodes = (0..reads).map(ReadId::new).map(|r| (chains.pos(graph.read_node(r)).index(), r));
        Tables {
            uses: Lists::group(codes, of_lits),
            reads: Lists::group(chains.len(), of_nodes),
            sources: Lists::group(reads, sources.iter().map(|s| (s.read.index(), *s))),
            rivals: Lists::group(reads, rivals.iter().map(|r| (r.read.index(), *r))),
            chains,
        }
    }

    pub(crate) fn read_count(&self) -> usize {
        self.sources.starts.len() - 1
    }

    pub(crate) fn source_count(&self) -> usize {
        self.sources.items.len()
    }

    /// The number of literal codes that occur at all.
    pub(crate) fn code_count(&self) -> usize {
        self.uses.starts.len() - 1
    }

    #[inline]
    pub(crate) fn source(&self, id: SourceId) -> &SourceEntry {
        &self.sources.items[id.index()]
    }

    #[inline]
    pub(crate) fn rival(&self, id: RivalId) -> &RivalEntry {
        &self.rivals.items[id.index()]
    }

    /// Where a literal occurs: indices for [`use_at`](Tables::use_at).
    #[inline]
    pub(crate) fn uses(&self, lit: Lit) -> std::ops::Range<usize> {
        if lit.code() >= self.code_count() {
            return 0..0;
        }
        let (start, end) = self.uses.span(lit.code());
        start..end
    }

    #[inline]
    pub(crate) fn use_at(&self, at: usize) -> Use {
        self.uses.items[at]
    }

    /// The reads of a node.
    #[inline]
    pub(crate) fn reads_of(&self, pos: Pos) -> &[ReadId] {
        self.reads.get(pos.index())
    }

    /// The sources of a read, by position of their writes.
    #[inline]
    pub(crate) fn sources_of(&self, read: ReadId) -> std::ops::Range<usize> {
        let (start, end) = self.sources.span(read.index());
        start..end
    }

    /// The rivals of a read, by position of their writes.
    #[inline]
    pub(crate) fn rivals_of(&self, read: ReadId) -> std::ops::Range<usize> {
        let (start, end) = self.rivals.span(read.index());
        start..end
    }

    /// Those sources of a read that are in a chain at indices from `low` to below `high`.
    #[inline]
    pub(crate) fn sources_in(&self, read: ReadId, chain: usize, low: u32, high: u32) -> std::ops::Range<usize> {
        let (low, high) = (self.chains.at(chain, low), self.chains.at(chain, high));
        let (start, end) = self.sources.span(read.index());
        let all = &self.sources.items[start..end];
        start + all.partition_point(|s| s.write < low)..start + all.partition_point(|s| s.write < high)
    }

    /// Those rivals of a read that are in a chain at indices from `low` to below `high`.
    #[inline]
    pub(crate) fn rivals_in(&self, read: ReadId, chain: usize, low: u32, high: u32) -> std::ops::Range<usize> {
        let (low, high) = (self.chains.at(chain, low), self.chains.at(chain, high));
        let (start, end) = self.rivals.span(read.index());
        let all = &self.rivals.items[start..end];
        start + all.partition_point(|r| r.write < low)..start + all.partition_point(|r| r.write < high)
    }
}
