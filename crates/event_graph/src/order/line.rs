//! Puts all nodes into a line, if the order is enough to do it greedily.
//!
//! A node can be next if all before it are in the line. One that would come between a read and its source has to
//! wait. If all wait, the order leaves something open that matters.

use heddle_base::Id;

use super::orders::Orders;
use super::tables::{RivalId, SourceId};
use crate::reach::Pos;

/// A source, true, and a rival, executed, whose order is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) source: SourceId,
    pub(crate) rival: RivalId,
}

/// All nodes in a line.
pub(crate) enum Line {
    /// It contradicts no source.
    Fits(Vec<Pos>),
    /// No node can be next: for each that the order allows, what is in its way.
    Stuck(Vec<Open>),
}

/// A line that grows.
struct Growing<'a> {
    orders: &'a Orders,
    line: Vec<Pos>,
    /// How many of each chain are in the line.
    heads: Vec<u32>,
    /// For each chain: a chain and how many of it must be in the line before it is worth to look again.
    waits: Vec<(usize, u32)>,
    /// How many reads each node would come between.
    obstacles: Vec<u32>,
}

impl Orders {
    /// Puts all nodes into a line.
    pub(crate) fn line(&self) -> Line {
        let (chains, nodes) = (self.tables.chains.count(), self.tables.chains.len());
        let mut growing = Growing {
            orders: self,
            line: Vec::with_capacity(nodes),
            heads: vec![0; chains],
            waits: vec![(0, 0); chains],
            obstacles: vec![0; nodes],
        };
        let mut chain = 0;
        while growing.line.len() < nodes {
            // Stay in the same chain if possible: fewer switches make better reading.
            match (chain..chains).chain(0..chain).find(|&c| growing.can_be_next(c)) {
                Some(next) => chain = next,
                None => return Line::Stuck(growing.what_is_open()),
            }
            growing.take(chain);
        }
        Line::Fits(growing.line)
    }
}

impl Growing<'_> {
    /// The next node of a chain, if all before it are in the line.
    fn minimal(&mut self, chain: usize) -> Option<Pos> {
        let head = self.heads[chain];
        let (other, needed) = self.waits[chain];
        if head >= self.orders.tables.chains.chain_len(chain) || self.heads[other] < needed {
            return None;
        }
        let pos = self.orders.tables.chains.at(chain, head);
        let waits = (0..self.heads.len()).find(|&c| self.heads[c] < self.orders.reach.before_count(pos, c));
        if let Some(other) = waits {
            self.waits[chain] = (other, self.orders.reach.before_count(pos, other));
            return None;
        }
        Some(pos)
    }

    fn can_be_next(&mut self, chain: usize) -> bool {
        self.minimal(chain).is_some_and(|pos| self.obstacles[pos.index()] == 0)
    }

    fn take(&mut self, chain: usize) {
        let pos = self.orders.tables.chains.at(chain, self.heads[chain]);
        self.line.push(pos);
        self.heads[chain] += 1;
        for i in 0..self.orders.tables.reads_of(pos).len() {
            let mut next = self.orders.first_by_read(self.orders.tables.reads_of(pos)[i].index());
            while let Some(source) = next {
                self.open(source, u32::wrapping_sub);
                next = self.orders.next_by_read(source);
            }
        }
        let mut next = self.orders.first_by_write(pos);
        while let Some(source) = next {
            self.open(source, u32::wrapping_add);
            next = self.orders.next_by_write(source);
        }
    }

    /// Counts a source as an obstacle for its rivals, or no longer.
    fn open(&mut self, id: SourceId, count: fn(u32, u32) -> u32) {
        let source = self.orders.tables.source(id);
        for rival in self.orders.tables.rivals_of(source.read).map(RivalId::new) {
            let write = self.orders.tables.rival(rival).write;
            if write != source.write && write != source.at && self.orders.is_rival_on(rival) {
                let obstacles = &mut self.obstacles[write.index()];
                *obstacles = count(*obstacles, 1);
            }
        }
    }

    /// One open triple for each node that the order allows to be next.
    fn what_is_open(&mut self) -> Vec<Open> {
        let mut open = Vec::new();
        for chain in 0..self.heads.len() {
            open.extend(self.minimal(chain).and_then(|pos| self.obstacle(pos)));
        }
        debug_assert!(!open.is_empty(), "an order without a cycle has a minimal node");
        open
    }

    /// A source that is in the line with its read not yet in it, and of which a node is a rival.
    fn obstacle(&self, pos: Pos) -> Option<Open> {
        let (tables, chains) = (&self.orders.tables, &self.orders.tables.chains);
        let is_in_line = |p: Pos| chains.index(p) < self.heads[chains.chain(p)];
        let index = chains.index(pos);
        self.orders.active().iter().find_map(|&source| {
            let entry = tables.source(source);
            if !is_in_line(entry.write) || is_in_line(entry.at) || entry.at == pos {
                return None;
            }
            let mut rivals = tables.rivals_in(entry.read, chains.chain(pos), index, index + 1).map(RivalId::new);
            rivals.find(|&r| self.orders.is_rival_on(r)).map(|rival| Open { source, rival })
        })
    }
}
