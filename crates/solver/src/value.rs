//! Values of terms: what a model gives to a variable and evaluation computes.

use std::collections::BTreeMap;
use std::fmt;

use crate::bits::Bits;
use crate::sort::Sort;

/// A value of some sort; a float is its bit pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of sort Bool.
    Bool(bool),
    /// Of a bit-vector or float sort.
    Bits(Bits),
    /// Of an array sort.
    Array(ArrayValue),
}

impl Value {
    /// False, zero, or the array of zeros.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::Bits(Bits::zero(width)),
            Sort::Float(format) => Value::Bits(Bits::zero(format.width())),
            Sort::Array { index, value } => Value::Array(ArrayValue::new(index, Bits::zero(value))),
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            Value::Bits(_) | Value::Array(_) => None,
        }
    }

    /// The bit vector or float pattern, if it is one.
    pub fn as_bits(&self) -> Option<&Bits> {
        match self {
            Value::Bits(bits) => Some(bits),
            Value::Bool(_) | Value::Array(_) => None,
        }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(array) => Some(array),
            Value::Bool(_) | Value::Bits(_) => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Bits(bits) => write!(f, "{bits}"),
            Value::Array(array) => {
                write!(f, "[")?;
                for (index, value) in array.entries() {
                    write!(f, "{index}: {value}, ")?;
                }
                write!(f, "else {}]", array.default)
            }
        }
    }
}

/// A total map: finitely many entries that differ from the default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayValue {
    index_width: u32,
    default: Bits,
    entries: BTreeMap<Bits, Bits>,
}

impl ArrayValue {
    /// The array whose elements are all `default`.
    pub fn new(index_width: u32, default: Bits) -> Self {
        ArrayValue { index_width, default, entries: BTreeMap::new() }
    }

    /// Width of the index.
    pub fn index_width(&self) -> u32 {
        self.index_width
    }

    /// The element at all indices that have no entry.
    pub fn default(&self) -> &Bits {
        &self.default
    }

    /// Indices whose element is not the default, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&Bits, &Bits)> {
        self.entries.iter()
    }

    /// The element at an index.
    pub fn get(&self, index: &Bits) -> &Bits {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Changes one element. Equal arrays stay equal values: an entry never holds the default.
    pub fn set(&mut self, index: Bits, value: Bits) {
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }

    /// Whether both map every index to the same element.
    pub fn same(&self, other: &Self) -> bool {
        if self.default == other.default {
            return self.entries == other.entries;
        }
        // The defaults differ, so every index must have an entry in one of the two.
        let covered = |count: usize| self.index_width < 24 && count >= 1 << self.index_width;
        let keys: std::collections::BTreeSet<&Bits> = self.entries.keys().chain(other.entries.keys()).collect();
        covered(keys.len()) && keys.into_iter().all(|k| self.get(k) == other.get(k))
    }
}
