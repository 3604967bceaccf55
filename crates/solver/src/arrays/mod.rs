//! Arrays by lemmas on demand.
//!
//! Reads are free variables for the SAT search. In each model every read is followed to what it must equal, and where
//! it does not, a lemma is added ([`reads`], Brummayer and Biere's scheme). Equations between arrays are rare in
//! programs, so they are instantiated eagerly ([`equations`]).

mod equations;
mod reads;

use crate::bits::Bits;
use crate::blast::Blaster;
use crate::sat::{Sat, Theory};
use crate::terms::{TermId, Terms};

pub(crate) use self::equations::Equations;
pub(crate) use self::reads::{Apart, ArrayModel, Reads};

/// The value of a blasted term in the model of the search.
pub(crate) fn read_bits<T: Theory>(terms: &Terms, blaster: &mut Blaster<Sat<T>>, term: TermId) -> Option<Bits> {
    let lits = blaster.bits_of(terms, term)?.to_vec();
    let sat = &mut blaster.gates.sink;
    Bits::from_bits(lits.into_iter().map(|lit| sat.value(lit).unwrap_or(false)))
}
