//! Shapes of memory objects: what makes an object's leaves *cells*, and gives accesses readable names (`q.head[3]`).

use heddle_base::define_id;

use crate::ty::{DataModel, Ty};

define_id!(
    /// A layout of a program.
    pub LayoutId, "t"
);

/// The shape of an object or of a part of one.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Layout {
    /// Bytes, padding included.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// What is inside.
    pub kind: LayoutKind,
}

/// What is inside a layout.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum LayoutKind {
    /// One value.
    Scalar(Ty),
    /// Equal elements side by side.
    Array {
        /// The shape of an element.
        elem: LayoutId,
        /// How many.
        len: u64,
    },
    /// A struct, or a union if `overlapping`.
    Record {
        /// Its name, such as `struct node`.
        name: String,
        /// Whether the fields overlap (a union).
        overlapping: bool,
        /// Fields by offset. Bit-fields appear as the storage unit they are accessed by, several sharing one offset.
        fields: Vec<Field>,
    },
    /// Bytes of no known shape: heap blocks, variable-length arrays.
    Bytes,
}

/// A field of a record.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Field {
    /// Its name; empty for an anonymous member.
    pub name: String,
    /// Bytes from the start of the record.
    pub offset: u64,
    /// Its shape; for a bit-field the storage unit's.
    pub layout: LayoutId,
    /// For a bit-field: first bit in the storage unit (from the least significant) and width.
    pub bits: Option<(u32, u32)>,
}

impl Layout {
    /// The layout of a scalar as gcc lays out C's basic types on x86.
    pub fn scalar(ty: Ty, model: DataModel) -> Layout {
        let (size, align) = match (ty, model) {
            (Ty::F80, DataModel::Lp64) => (16, 16),
            (Ty::F80, DataModel::Ilp32) => (12, 4),
            (Ty::I64 | Ty::F64, DataModel::Ilp32) => (8, 4),
            _ => (ty.size(model), ty.size(model)),
        };
        Layout { size, align, kind: LayoutKind::Scalar(ty) }
    }
}
