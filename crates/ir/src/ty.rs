//! Scalar types and data models.

use std::fmt;

/// The type of a register, an expression, or one memory access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum Ty {
    /// A truth value. Never in memory: C's `_Bool` is stored as `I8`.
    Bool,
    /// 8 bits, signed or unsigned as the operators say.
    I8,
    /// 16 bits.
    I16,
    /// 32 bits.
    I32,
    /// 64 bits.
    I64,
    /// 128 bits.
    I128,
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// x87 double extended: 10 bytes of value in 12 (ILP32) or 16 (LP64) bytes of storage.
    F80,
    /// IEEE binary128.
    F128,
    /// A pointer: object and byte offset.
    Ptr,
}

impl Ty {
    /// All types.
    pub const ALL: [Ty; 12] =
        [Ty::Bool, Ty::I8, Ty::I16, Ty::I32, Ty::I64, Ty::I128, Ty::F16, Ty::F32, Ty::F64, Ty::F80, Ty::F128, Ty::Ptr];

    /// The integer type with this many bits.
    pub fn int(bits: u32) -> Option<Ty> {
        Some(match bits {
            8 => Ty::I8,
            16 => Ty::I16,
            32 => Ty::I32,
            64 => Ty::I64,
            128 => Ty::I128,
            _ => return None,
        })
    }

    /// Width in bits of an integer type, or 1 for `Bool`.
    pub fn int_bits(self) -> Option<u32> {
        Some(match self {
            Ty::Bool => 1,
            Ty::I8 => 8,
            Ty::I16 => 16,
            Ty::I32 => 32,
            Ty::I64 => 64,
            Ty::I128 => 128,
            Ty::F16 | Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 | Ty::Ptr => return None,
        })
    }

    /// Whether this is an integer type (`Bool` is not).
    pub fn is_int(self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128)
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Ty::F16 | Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128)
    }

    /// Bytes that an access of this type touches.
    pub fn size(self, model: DataModel) -> u64 {
        match self {
            Ty::Bool | Ty::I8 => 1,
            Ty::I16 | Ty::F16 => 2,
            Ty::I32 | Ty::F32 => 4,
            Ty::I64 | Ty::F64 => 8,
            Ty::I128 | Ty::F128 => 16,
            Ty::F80 => 10,
            Ty::Ptr => model.pointer_size(),
        }
    }

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Ty::Bool => "bool",
            Ty::I8 => "i8",
            Ty::I16 => "i16",
            Ty::I32 => "i32",
            Ty::I64 => "i64",
            Ty::I128 => "i128",
            Ty::F16 => "f16",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
            Ty::F80 => "f80",
            Ty::F128 => "f128",
            Ty::Ptr => "ptr",
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Sizes of C's basic types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum DataModel {
    /// `long` and pointers have 64 bits.
    #[default]
    Lp64,
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
}

impl DataModel {
    /// Bytes of a pointer, of `long` and of `size_t`.
    pub fn pointer_size(self) -> u64 {
        match self {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }

    /// The integer type as wide as a pointer.
    pub fn pointer_int(self) -> Ty {
        match self {
            DataModel::Lp64 => Ty::I64,
            DataModel::Ilp32 => Ty::I32,
        }
    }

    /// The name on the command line and in the text form.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Lp64 => "lp64",
            DataModel::Ilp32 => "ilp32",
        }
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
