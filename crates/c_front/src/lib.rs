//! Heddle: crate under construction.
