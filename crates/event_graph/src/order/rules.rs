//! Rules 2 and 3, and what they imply, one literal or one change of the order at a time.
//!
//! Along a chain the order is monotone. So of all rivals of one chain that come before a read, only the last one has to
//! be put before the source, and of all that come after the source, only the first one after the read.

use heddle_base::Id;

use super::edges::Reason;
use super::orders::{Cycle, Orders, Pending, Why};
use super::tables::{RivalId, SourceEntry, SourceId};
use crate::graph::ReadId;
use crate::reach::{Change, Pos};

impl Orders {
    fn is_before(&self, a: Pos, b: Pos) -> bool {
        self.reach.before(&self.tables.chains, a, b)
    }

    /// Implies what the fixed order excludes.
    pub(crate) fn start(&mut self) {
        for id in (0..self.tables.source_count()).map(SourceId::new) {
            let SourceEntry { lit, write, at, .. } = *self.tables.source(id);
            if (at == write || self.is_before(at, write)) && self.is_free(lit) {
                self.imply_not(lit, Why::Order { from: at, to: write });
            }
        }
    }

    /// A source became true.
    pub(crate) fn source_on(&mut self, id: SourceId) -> Result<(), Cycle> {
        let SourceEntry { lit, write, at, .. } = *self.tables.source(id);
        self.pending.push(Pending { from: write, to: at, reason: Reason::Lit(lit), cost: self.cost() });
        self.insert_pending()?;
        self.link(id);
        self.exclude_twins(id);
        self.apply_to_all_rivals(id);
        self.insert_pending()
    }

    /// Other sources of the same read, if each is a rival of the other.
    fn exclude_twins(&mut self, id: SourceId) {
        let source = *self.tables.source(id);
        if !source.as_rival.is_some_and(|r| self.is_rival_on(r)) {
            return;
        }
        for other in self.tables.sources_of(source.read).map(SourceId::new) {
            let twin = *self.tables.source(other);
            let is_rival = twin.as_rival.is_some_and(|r| self.is_rival_on(r));
            if twin.write != source.write && is_rival && self.is_free(twin.lit) {
                self.imply_not(twin.lit, Why::Twin { source: id, other });
            }
        }
    }

    /// Both rules for a new source, chain by chain.
    fn apply_to_all_rivals(&mut self, id: SourceId) {
        let source = *self.tables.source(id);
        let rivals = self.tables.rivals_of(source.read);
        let mut start = rivals.start;
        while start < rivals.end {
            let chain = self.tables.chains.chain(self.tables.rival(RivalId::new(start)).write);
            let len = self.tables.chains.chain_len(chain);
            let before = self.reach.before_count(source.at, chain);
            let after = self.reach.after(source.write, chain).min(len);
            self.rule2_last_rival(id, chain, 0, before, self.cost());
            self.rule3_first_rival(id, chain, after, len, self.cost());
            if after < before {
                self.exclude_between(id, chain, after, before);
            }
            start = self.tables.rivals_in(source.read, chain, len, len).start;
        }
    }

    /// [SCAR §4.2 Rule 2] A rival that comes before the read comes before its source.
    #[doc(alias = "Rule 2")]
    fn rule2_last_rival(&mut self, id: SourceId, chain: usize, low: u32, high: u32, cost: u32) {
        let source = *self.tables.source(id);
        for rival in self.tables.rivals_in(source.read, chain, low, high).rev().map(RivalId::new) {
            let write = self.tables.rival(rival).write;
            if write != source.write && self.is_rival_on(rival) {
                if !self.is_before(write, source.write) {
                    let cost = cost + 2 * self.cost();
                    let reason = Reason::Rule2(id, rival);
                    cov_mark::hit!(scar_rule2);
                    self.pending.push(Pending { from: write, to: source.write, reason, cost });
                }
                return;
            }
        }
    }

    /// [SCAR §4.2 Rule 3] A rival that comes after the source comes after the read.
    #[doc(alias = "Rule 3")]
    fn rule3_first_rival(&mut self, id: SourceId, chain: usize, low: u32, high: u32, cost: u32) {
        let source = *self.tables.source(id);
        for rival in self.tables.rivals_in(source.read, chain, low, high).map(RivalId::new) {
            let write = self.tables.rival(rival).write;
            if write != source.at && self.is_rival_on(rival) {
                if !self.is_before(source.at, write) {
                    let cost = cost + 2 * self.cost();
                    let reason = Reason::Rule3(id, rival);
                    cov_mark::hit!(scar_rule3);
                    self.pending.push(Pending { from: source.at, to: write, reason, cost });
                }
                return;
            }
        }
    }

    /// Rivals that stand between a true source and its read are not executed.
    fn exclude_between(&mut self, id: SourceId, chain: usize, low: u32, high: u32) {
        let source = *self.tables.source(id);
        for rival in self.tables.rivals_in(source.read, chain, low, high).map(RivalId::new) {
            let entry = *self.tables.rival(rival);
            if self.is_free(entry.lit) {
                let why = Why::Between { from: source.write, middle: entry.write, to: source.at, lit: source.lit };
                self.imply_not(entry.lit, why);
            }
        }
    }

    /// A rival became true.
    pub(crate) fn rival_on(&mut self, id: RivalId) -> Result<(), Cycle> {
        let rival = *self.tables.rival(id);
        let Some(first) = self.first_by_read(rival.read.index()) else {
            self.exclude_sources_before(rival.read, id);
            return Ok(());
        };
        let mut next = Some(first);
        while let Some(source) = next {
            next = self.next_by_read(source);
            self.apply_to_rival(source, id);
        }
        self.insert_pending()
    }

    /// Both rules for one source and one rival.
    fn apply_to_rival(&mut self, id: SourceId, rival: RivalId) {
        let source = *self.tables.source(id);
        let write = self.tables.rival(rival).write;
        if write == source.write || write == source.at {
            return;
        }
        let cost = 3 * self.cost();
        if self.is_before(write, source.at) {
            if !self.is_before(write, source.write) {
                cov_mark::hit!(scar_rule2);
                self.pending.push(Pending { from: write, to: source.write, reason: Reason::Rule2(id, rival), cost });
            }
        } else if self.is_before(source.write, write) && !self.is_before(source.at, write) {
            cov_mark::hit!(scar_rule3);
            self.pending.push(Pending { from: source.at, to: write, reason: Reason::Rule3(id, rival), cost });
        }
    }

    /// An open read whose rival comes before it: sources that come before that rival are not taken.
    fn exclude_sources_before(&mut self, read: ReadId, id: RivalId) {
        let rival = *self.tables.rival(id);
        let sources = self.tables.sources_of(read);
        let Some(at) = sources.clone().next().map(|s| self.tables.source(SourceId::new(s)).at) else { return };
        if !self.is_before(rival.write, at) {
            return;
        }
        for source in sources.map(SourceId::new) {
            let SourceEntry { lit, write, .. } = *self.tables.source(source);
            if self.is_free(lit) && self.is_before(write, rival.write) {
                self.imply_not(lit, Why::Between { from: write, middle: rival.write, to: at, lit: rival.lit });
            }
        }
    }

    /// A node's order with a chain changed; `cost` is that of the edge which did it.
    pub(crate) fn fire(&mut self, change: Change, cost: u32) {
        match change {
            Change::After { node, chain, old, new } => self.fire_after(node, chain, old, new, cost),
            Change::Before { node, chain, old, new } => self.fire_before(node, chain, old, new, cost),
        }
    }

    /// `node` now comes before those of `chain` from `new` to below `old`.
    fn fire_after(&mut self, node: Pos, chain: usize, old: u32, new: u32, cost: u32) {
        let mut next = self.first_by_write(node);
        while let Some(source) = next {
            next = self.next_by_write(source);
            self.rule3_first_rival(source, chain, new, old, cost);
            let before = self.reach.before_count(self.tables.source(source).at, chain).min(old);
            if new < before {
                self.exclude_between(source, chain, new, before);
            }
        }
        for i in 0..self.tables.reads_of(node).len() {
            let read = self.tables.reads_of(node)[i];
            for source in self.tables.sources_in(read, chain, new, old).map(SourceId::new) {
                let SourceEntry { lit, write, .. } = *self.tables.source(source);
                if self.is_free(lit) {
                    self.imply_not(lit, Why::Order { from: node, to: write });
                }
            }
        }
        for i in 0..self.orders_to[node.index()].len() {
            let (from, lit) = self.orders_to[node.index()][i];
            if self.is_free(lit) && self.is_before(node, from) {
                self.imply_not(lit, Why::Order { from: node, to: from });
            }
        }
    }

    /// `node` now comes after those of `chain` from `old` to below `new`.
    fn fire_before(&mut self, node: Pos, chain: usize, old: u32, new: u32, cost: u32) {
        for i in 0..self.tables.reads_of(node).len() {
            let read = self.tables.reads_of(node)[i];
            let Some(first) = self.first_by_read(read.index()) else {
                let mut rivals = self.tables.rivals_in(read, chain, old, new).rev().map(RivalId::new);
                if let Some(last) = rivals.find(|&r| self.is_rival_on(r)) {
                    self.exclude_sources_before(read, last);
                }
                continue;
            };
            let mut next = Some(first);
            while let Some(source) = next {
                next = self.next_by_read(source);
                self.rule2_last_rival(source, chain, old, new, cost);
                let after = self.reach.after(self.tables.source(source).write, chain).max(old);
                if after < new {
                    self.exclude_between(source, chain, after, new);
                }
            }
        }
    }
}
