//! Layout of structs and unions as gcc does it on x86, both data models.
//!
//! Members follow each other at the next multiple of their alignment. A bit-field starts where the last one ended
//! unless it would then span more units of its type's alignment than its type has; a zero width closes the unit.
//! `packed` takes all alignment away, `#pragma pack(n)` what exceeds `n`; under the latter, whatever `n` is, bit-fields span
//! units freely. On i386 8-byte scalars are aligned to 4 bytes inside records.
//!
//! Bit-fields that lie side by side are gathered into *access units*: the bytes that a load or store of one of them
//! touches. A unit never reaches into a member that is no bit-field, as C11's memory model demands.

use heddle_base::Span;

use crate::intern::Symbol;
use crate::types::{BitField, CField, QTy, RecordBody, Types};

/// A member before it has a place.
#[derive(Debug, Clone)]
pub struct Member {
    /// Its name.
    pub name: Option<Symbol>,
    /// Where it is declared.
    pub span: Span,
    /// Its type.
    pub ty: QTy,
    /// The width of a bit-field.
    pub width: Option<u32>,
    /// Whether it is packed by its own attribute.
    pub packed: bool,
    /// What `aligned` or `_Alignas` asks for; 0 for nothing.
    pub align: u64,
}

/// What attributes say of a whole record.
#[derive(Debug, Clone, Copy, Default)]
pub struct RecordAttrs {
    /// `packed`
    pub packed: bool,
    /// `aligned(n)`; 0 for none.
    pub align: u64,
    /// `#pragma pack(n)`: no member is aligned to more.
    pub max_align: Option<u64>,
}

/// The offset of a bit-field until [`assign_units`] gives it one.
const NO_UNIT_YET: u64 = u64::MAX;

/// A bit-field that has its bits but no access unit yet.
struct PlacedBits {
    field: usize,
    start: u64,
    width: u32,
    /// Alignment of its type in bits: a new unit may begin there.
    boundary: u64,
}

/// Gives every member its place. `None` if the record is too large, or a bit-field too wide.
pub fn lay_out(types: &Types, is_union: bool, members: &[Member], attrs: RecordAttrs) -> Option<RecordBody> {
    let mut fields = Vec::with_capacity(members.len());
    let mut placed_bits = Vec::new();
    let (mut bit, mut end, mut record_align) = (0u64, 0u64, 1u64);
    for member in members {
        if is_union {
            bit = 0;
        }
        let packed = attrs.packed || member.packed;
        let max_align = attrs.max_align.unwrap_or(u64::MAX);
        let align = member_align(types, member, packed).min(max_align);
        let size_bits = types.size_of(member.ty).unwrap_or(0).checked_mul(8)?;
        match member.width {
            None => {
                record_align = record_align.max(align);
                let start = bit.checked_next_multiple_of(align * 8)?;
                fields.push(CField { name: member.name, ty: member.ty, offset: start / 8, bits: None, align });
                bit = start.checked_add(size_bits)?;
            }
            Some(width) => {
                let boundary = bit_field_boundary(types, member, packed, attrs.max_align);
                // An explicit alignment moves even a packed bit-field; a zero width goes on to the next unit.
                let start = if width == 0 { boundary.max(member.align * 8) } else { member.align.min(max_align) * 8 };
                if start != 0 {
                    bit = bit.checked_next_multiple_of(start)?;
                }
                if width == 0 {
                    end = end.max(bit);
                    continue;
                }
                if !packed && attrs.max_align.is_none() && spans_too_much(bit, width, boundary, size_bits) {
                    bit = bit.checked_next_multiple_of(boundary)?;
                }
                if let Some(name) = member.name {
                    if !packed || member.align != 0 {
                        record_align = record_align.max(align);
                    }
                    // A bound takes the place of `packed` here: gcc asks for it first.
                    if attrs.max_align.is_some() {
                        record_align = record_align.max(natural_align(types, member).min(max_align));
                    }
                    placed_bits.push(PlacedBits { field: fields.len(), start: bit, width, boundary });
                    fields.push(CField { name: Some(name), ty: member.ty, offset: NO_UNIT_YET, bits: None, align });
                }
                bit = bit.checked_add(width as u64)?;
            }
        }
        end = end.max(bit);
    }
    let align = record_align.max(attrs.align);
    let size = end.div_ceil(8).checked_next_multiple_of(align)?;
    assign_units(types, &mut fields, &placed_bits, is_union, size);
    // Accesses are put together from at most 16 bytes: enough for all but 128-bit bit-fields of packed records.
    if fields.iter().any(|f| f.bits.is_some_and(|b| b.unit > 16)) {
        return None;
    }
    let depth = 1 + members.iter().map(|member| types.depth(member.ty)).max().unwrap_or(0);
    Some(RecordBody { fields, size, align, depth })
}

fn member_align(types: &Types, member: &Member, packed: bool) -> u64 {
    let natural = if packed { 1 } else { natural_align(types, member) };
    natural.max(member.align)
}

/// What a member's type asks for inside a record.
fn natural_align(types: &Types, member: &Member) -> u64 {
    if types.is_wide_on_ilp32(member.ty) { 4 } else { types.align_of(member.ty) }
}

/// Where a unit of the bit-field's type may begin, in bits: anywhere if it is packed, but for zero widths.
fn bit_field_boundary(types: &Types, member: &Member, packed: bool, max_align: Option<u64>) -> u64 {
    let natural = natural_align(types, member);
    8 * match member.width {
        Some(0) => natural,
        _ if packed => 1,
        _ => natural.min(max_align.unwrap_or(u64::MAX)),
    }
}

fn spans_too_much(bit: u64, width: u32, boundary: u64, size_bits: u64) -> bool {
    (bit % boundary + width as u64).div_ceil(boundary) > size_bits / boundary
}

/// Gathers bit-fields into access units.
fn assign_units(types: &Types, fields: &mut [CField], placed: &[PlacedBits], is_union: bool, size: u64) {
    let mut i = 0;
    while i < placed.len() {
        let mut end = placed[i].start + placed[i].width as u64;
        let mut j = i + 1;
        // A unit goes on while the next bit-field shares a byte with it, or follows at once and begins no unit of its own.
        while j < placed.len() && !is_union && placed[j].field == placed[j - 1].field + 1 {
            let next = &placed[j];
            let own_unit = next.start.is_multiple_of(next.boundary) && next.start >= end && next.boundary > 8;
            let next_end = end.max(next.start + next.width as u64);
            // Rather two units than one that no single access covers.
            let shares_byte = next.start / 8 < end.div_ceil(8);
            let too_wide = !shares_byte && covering_unit(placed[i].start / 8, next_end.div_ceil(8)).is_none();
            if own_unit || too_wide || next.start >= end.next_multiple_of(8) + 8 {
                break;
            }
            end = next_end;
            j += 1;
        }
        let group = access_unit(types, fields, placed[i].start / 8, end.div_ceil(8), size, is_union);
        for p in &placed[i..j] {
            // Where no single access reaches the whole group, each bit-field is reached by its own bytes.
            let (offset, unit) = if group.1.is_power_of_two() && group.1 <= 8 {
                group
            } else {
                let end = p.start + p.width as u64;
                access_unit(types, fields, p.start / 8, end.div_ceil(8), size, is_union)
            };
            let pos = (p.start - offset * 8) as u32;
            fields[p.field].offset = offset;
            fields[p.field].bits = Some(BitField { unit, pos, width: p.width });
        }
        i = j;
    }
}

/// The smallest aligned power of two of bytes that covers `first..end` and touches no member that is no bit-field; the
/// bytes themselves if there is none.
fn access_unit(types: &Types, fields: &[CField], first: u64, end: u64, size: u64, is_union: bool) -> (u64, u64) {
    let touches = |field: &CField, offset: u64, unit: u64| {
        let is_bit_field = field.bits.is_some() || field.offset == NO_UNIT_YET;
        !is_bit_field && field.offset < offset + unit && field.offset + types.size_of(field.ty).unwrap_or(0) > offset
    };
    match covering_unit(first, end) {
        Some((offset, unit))
            if offset + unit <= size && (is_union || !fields.iter().any(|f| touches(f, offset, unit))) =>
        {
            (offset, unit)
        }
        _ => (first, end - first),
    }
}

/// Offset and size of the smallest aligned power of two of bytes that covers `first..end`.
fn covering_unit(first: u64, end: u64) -> Option<(u64, u64)> {
    let unit = [1u64, 2, 4, 8].into_iter().find(|unit| first / unit * unit + unit >= end)?;
    Some((first / unit * unit, unit))
}
