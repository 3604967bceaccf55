//! Fingerprints: values that stand for contents and states where these are compared.

use super::knowledge::mix;

/// Two hashes of one thing. Things with different fingerprints differ; that different things have one is so unlikely
/// (about one in 2^128 for each pair) that equal fingerprints count as equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(pub u64, pub u64);

impl Fingerprint {
    pub(crate) fn new() -> Self {
        Fingerprint(0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b)
    }

    pub(crate) fn add(&mut self, number: u64) {
        self.0 = mix(self.0, number);
        self.1 = mix(self.1 ^ 0x3c6e_f372_fe94_f82b, number.rotate_left(32));
    }

    /// Order does not matter to sums.
    pub(crate) fn plus(&mut self, other: Fingerprint) {
        self.0 = self.0.wrapping_add(other.0);
        self.1 = self.1.wrapping_add(other.1);
    }

    pub(crate) fn add_all(&mut self, other: Fingerprint) {
        self.0 = mix(self.0, other.0);
        self.1 = mix(self.1, other.1);
    }
}
