//! Events at cells: accesses of one object that overlap without being equal are cut into bytes.

use std::rc::Rc;

use heddle_ir::DataModel;
use heddle_solver::{TermId, Terms};
use heddle_symbolic::unwind::{AccessEvent, Addressing, LIFE, NodeIx, Unwinding};
use rustc_hash::FxHashMap;

/// A read or write of one cell.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) node: NodeIx,
    pub(crate) guard: TermId,
    pub(crate) address: TermId,
    pub(crate) objects: Rc<[u32]>,
    pub(crate) len: u32,
    pub(crate) pointer: bool,
    pub(crate) value: TermId,
    pub(crate) checked: bool,
}

/// What is known of where accesses of an object lie: offset modulo a power of two, and length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Footprint {
    modulus: u64,
    residue: u64,
    len: u32,
}

impl Footprint {
    fn of(terms: &mut Terms, event: &AccessEvent) -> Self {
        let offset = terms.extract(31, 0, event.address);
        let len = event.len;
        if let Some(at) = terms.as_const(offset).and_then(heddle_solver::Bits::to_u64) {
            return Footprint { modulus: 1 << 32, residue: at, len };
        }
        let known = terms.known_bits(offset);
        let low = (known.zeros | known.ones).trailing_ones().min(31);
        Footprint { modulus: 1 << low, residue: known.ones & ((1 << low) - 1), len }
    }

    /// Whether two accesses are at the same cell or do not touch at all.
    fn fits(self, other: Footprint) -> bool {
        let modulus = self.modulus.min(other.modulus);
        let (a, b) = (self.residue % modulus, other.residue % modulus);
        let (a_end, b_end) = (a + u64::from(self.len), b + u64::from(other.len));
        if a == b && self.len == other.len {
            return a_end <= modulus;
        }
        // Apart in every window, wrapping round its end included.
        a_end.max(b_end) <= modulus && (a_end <= b || b_end <= a)
    }
}

/// Reads and writes, in the order of the unwinding.
pub(crate) fn pieces(unwinding: &mut Unwinding, at: &mut Addressing<'_>) -> (Vec<Event>, Vec<Event>) {
    let mut footprints: FxHashMap<u32, Vec<Footprint>> = FxHashMap::default();
    for event in &unwinding.accesses {
        let footprint = Footprint::of(at.terms, event);
        if footprint.residue == u64::from(LIFE) {
            continue;
        }
        for &object in event.objects.iter() {
            let known = footprints.entry(object).or_default();
            if !known.contains(&footprint) {
                known.push(footprint);
            }
        }
    }
    // An access that can be in two objects makes both of them bytes or none.
    let mixed = |known: &[Footprint]| known.iter().enumerate().any(|(i, a)| known[i..].iter().any(|b| !a.fits(*b)));
    let mut bytes: Vec<u32> = footprints.iter().filter(|(_, known)| mixed(known)).map(|(&object, _)| object).collect();
    bytes.sort_unstable();
    loop {
        let before = bytes.len();
        for event in &unwinding.accesses {
            if event.objects.len() > 1 && event.objects.iter().any(|object| bytes.binary_search(object).is_ok()) {
                bytes.extend(event.objects.iter());
            }
        }
        bytes.sort_unstable();
        bytes.dedup();
        if bytes.len() == before {
            break;
        }
    }
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    let mut canonical = Vec::new();
    // For each write the access that it is a piece of.
    let mut origins = Vec::new();
    for (origin, access) in unwinding.accesses.iter().enumerate() {
        let into = if access.write { &mut writes } else { &mut reads };
        let life = Footprint::of(at.terms, access).residue == u64::from(LIFE);
        let in_bytes = !life && access.objects.iter().any(|object| bytes.binary_search(object).is_ok());
        if in_bytes && (access.len > 1 || access.pointer) {
            let flat = split(access, at, into);
            // Several pointers have the same bytes; what is read is the one that the machine makes of them.
            if access.pointer && !access.write && at.model == DataModel::Ilp32 {
                let pointer = at.from_flat(flat);
                canonical.push(at.terms.eq(access.value, pointer));
            }
        } else {
            into.push(Event {
                node: access.node,
                guard: access.guard,
                address: access.address,
                objects: Rc::clone(&access.objects),
                len: access.len,
                pointer: access.pointer,
                value: access.value,
                checked: access.checked,
            });
        }
        origins.resize(writes.len(), origin);
    }
    unwinding.constraints.extend(canonical);
    hide_overwritten(&mut writes, &origins, at.terms);
    (reads, writes)
}

/// Of the bytes that a section writes more than once, only the last is seen. Whole cells are known to be written once.
fn hide_overwritten(writes: &mut Vec<Event>, origins: &[usize], terms: &mut Terms) {
    let mut first = 0;
    while first < writes.len() {
        let node = writes[first].node;
        let count = writes[first..].iter().take_while(|write| write.node == node).count();
        let of_node = &mut writes[first..first + count];
        for i in 0..count {
            for j in i + 1..count {
                let (earlier, later) = (&of_node[i], &of_node[j]);
                let pieces = earlier.len == 1 && later.len == 1;
                if !pieces || origins[first + i] == origins[first + j] {
                    continue;
                }
                let same = terms.eq(earlier.address, later.address);
                let again = terms.and_all(&[same, later.guard]);
                let seen = terms.not(again);
                of_node[i].guard = terms.and_all(&[of_node[i].guard, seen]);
            }
        }
        first += count;
    }
    writes.retain(|write| write.guard != Terms::FALSE);
}

/// One event a byte; the value that the bytes are of.
fn split(access: &AccessEvent, at: &mut Addressing<'_>, into: &mut Vec<Event>) -> TermId {
    let flat = if access.pointer && at.model == DataModel::Ilp32 { at.to_flat(access.value) } else { access.value };
    for k in 0..access.len {
        let object = at.terms.extract(63, 32, access.address);
        let offset = at.terms.extract(31, 0, access.address);
        let step = at.terms.bv(32, u64::from(k));
        let offset = at.terms.add(offset, step);
        into.push(Event {
            node: access.node,
            guard: access.guard,
            address: at.terms.concat(object, offset),
            objects: Rc::clone(&access.objects),
            len: 1,
            pointer: false,
            value: at.terms.extract(8 * k + 7, 8 * k, flat),
            checked: access.checked,
        });
    }
    flat
}
