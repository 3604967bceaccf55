//! Typed ids: a `u32` that knows what it indexes.
//!
//! `define_id!` makes an id whose `Display` is the text form used in printed programs (`r3`, `g7`, `f0`);
//! [`IndexVec`] is a vector that only that id can index.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An id made by [`define_id!`](crate::define_id).
pub trait Id: Copy + Eq + Ord {
    /// The id with this index.
    fn new(index: usize) -> Self;
    /// The index behind the id.
    fn index(self) -> usize;
}

/// Defines a `u32` id type: `define_id!(/** doc */ pub RegId, "r");`
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $vis:vis $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(u32);

        impl $crate::Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                debug_assert!(index < u32::MAX as usize);
                $name(index as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        // As its number: what is stored holds ids by the thousand.
        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_u32(self.0)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                <u32 as $crate::serde::Deserialize>::deserialize(from).map($name)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}{}", $prefix, self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// A vector indexed by one id type.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IndexVec<I, T> {
    raw: Vec<T>,
    marker: PhantomData<fn(I)>,
}

impl<I: Id, T> IndexVec<I, T> {
    /// An empty vector.
    pub const fn new() -> Self {
        IndexVec { raw: Vec::new(), marker: PhantomData }
    }

    /// An empty vector with room for `capacity` elements.
    pub fn with_capacity(capacity: usize) -> Self {
        Self::from_raw(Vec::with_capacity(capacity))
    }

    /// `len` copies of `value`.
    pub fn from_elem(value: T, len: usize) -> Self
    where
        T: Clone,
    {
        Self::from_raw(vec![value; len])
    }

    /// Takes over a plain vector: element `i` gets the id with index `i`.
    pub fn from_raw(raw: Vec<T>) -> Self {
        IndexVec { raw, marker: PhantomData }
    }

    /// Keeps the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        self.raw.truncate(len);
    }

    /// Appends `value` and returns its id.
    #[inline]
    pub fn push(&mut self, value: T) -> I {
        let id = I::new(self.raw.len());
        self.raw.push(value);
        id
    }

    /// The id that the next `push` will return.
    pub fn next_id(&self) -> I {
        I::new(self.raw.len())
    }

    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.raw.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    /// The element, if the id is in range.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.raw.get(id.index())
    }

    /// All ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.raw.len()).map(I::new)
    }

    /// Elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.raw.iter()
    }

    /// Elements in order, mutable.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.raw.iter_mut()
    }

    /// Ids and elements in order.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.raw.iter().enumerate().map(|(i, t)| (I::new(i), t))
    }

    /// The elements as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.raw
    }

    /// The vector underneath, for bulk edits that keep ids meaningful.
    pub fn raw_mut(&mut self) -> &mut Vec<T> {
        &mut self.raw
    }
}

impl<I: Id, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for IndexVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.raw[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IndexVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.raw[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        Self::from_raw(iter.into_iter().collect())
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for IndexVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.raw).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    define_id!(
        /// An id for the test.
        NodeId, "n"
    );

    #[test]
    fn ids_index_and_print() {
        let mut v: IndexVec<NodeId, &str> = IndexVec::new();
        let a = v.push("a");
        let b = v.push("b");
        assert_eq!((v[a], v[b], v.len()), ("a", "b", 2));
        assert_eq!(format!("{a} {b:?}"), "n0 n1");
        assert_eq!(v.ids().collect::<Vec<_>>(), [a, b]);
        assert_eq!(v.get(NodeId::new(2)), None);
    }
}
