//! IEEE 754 arithmetic: on values ([`eval`], by `rustc_apfloat`) and as circuits ([`lower`], on bit-vector terms).
//!
//! Both represent a float by its bit pattern with one NaN, the positive quiet one, so that equality of floats is
//! equality of patterns.

mod arith;
mod convert;
pub(crate) mod eval;
pub(crate) mod lower;
mod unpack;

use crate::bits::Bits;
use crate::sort::FloatFormat;

/// The pattern of the one NaN.
pub(crate) fn nan(format: FloatFormat) -> Bits {
    let quiet_and_exponent = Bits::ones(format.exponent() + 1);
    quiet_and_exponent.resize(format.width()).shl_by(format.fraction() - 1)
}

/// The pattern of plus or minus infinity.
pub(crate) fn infinity(format: FloatFormat, negative: bool) -> Bits {
    let exponent = Bits::ones(format.exponent()).resize(format.width()).shl_by(format.fraction());
    if negative { exponent.or(&Bits::min_signed(format.width())) } else { exponent }
}

/// The pattern with every NaN replaced by the one.
pub(crate) fn canonical(format: FloatFormat, bits: &Bits) -> Bits {
    if is_nan(format, bits) { nan(format) } else { bits.clone() }
}

/// Whether a pattern is a NaN's.
pub(crate) fn is_nan(format: FloatFormat, bits: &Bits) -> bool {
    let magnitude = bits.and(&Bits::min_signed(format.width()).not());
    infinity(format, false).ult(&magnitude)
}
