//! Answers of SMT-LIB solvers: S-expressions, and the values in them.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::float;
use crate::sort::{FloatFormat, Sort};
use crate::value::{ArrayValue, Value};

/// An answer that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(pub String);

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read the solver's answer: {}", self.0)
    }
}

impl std::error::Error for ParseError {}

/// An S-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

impl Sexp {
    pub(super) fn atom(&self) -> Option<&str> {
        match self {
            Sexp::Atom(atom) => Some(atom),
            Sexp::List(_) => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Sexp]> {
        match self {
            Sexp::List(list) => Some(list),
            Sexp::Atom(_) => None,
        }
    }
}

/// Reads one S-expression, if the text holds a complete one.
pub(super) fn read(text: &str) -> Result<Option<Sexp>, ParseError> {
    let mut open: Vec<Vec<Sexp>> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let done = match first {
            '(' => {
                open.push(Vec::new());
                rest = &rest[1..];
                None
            }
            ')' => {
                rest = &rest[1..];
                Some(Sexp::List(open.pop().ok_or_else(|| ParseError("a ) too many".to_owned()))?))
            }
            _ => {
                let Some(length) = atom_length(rest) else { return Ok(None) };
                let atom = rest[..length].to_owned();
                rest = &rest[length..];
                Some(Sexp::Atom(atom))
            }
        };
        if let Some(done) = done {
            match open.last_mut() {
                Some(list) => list.push(done),
                None => return Ok(Some(done)),
            }
        }
        rest = rest.trim_start();
    }
    Ok(None)
}

/// The length of the atom that the text starts with; `None` if it may go on.
fn atom_length(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| "|\"".contains(*c));
    match quote {
        Some(quote) => text[1..].find(quote).map(|end| end + 2),
        None => text.find(|c: char| c.is_whitespace() || c == '(' || c == ')'),
    }
}

/// A value of a sort. Arrays are read from `store` and `as const`.
pub(super) fn value(sexp: &Sexp, sort: Sort) -> Result<Value, ParseError> {
    let parsed = match sort {
        Sort::Bool => truth(sexp).map(Value::Bool),
        Sort::BitVec(width) => bits(sexp).filter(|b| b.width() == width).map(Value::Bits),
        Sort::Float(format) => float_bits(sexp, format).map(Value::Bits),
        Sort::Array { index, value } => array(sexp, index, value).map(Value::Array),
    };
    parsed.ok_or_else(|| ParseError(format!("{sexp:?} is not a value of {sort}")))
}

/// `true`, `false`, or an equation between arrays: Z3 does not always evaluate those.
fn truth(sexp: &Sexp) -> Option<bool> {
    match sexp.list() {
        Some([Sexp::Atom(equals), a, b]) if equals == "=" => {
            let (index, value) = array_widths(a)?;
            Some(array(a, index, value)?.same(&array(b, index, value)?))
        }
        Some(_) => None,
        None => sexp.atom()?.parse().ok(),
    }
}

/// The widths in `((as const (Array (_ BitVec i) (_ BitVec v))) …)`, below stores.
fn array_widths(sexp: &Sexp) -> Option<(u32, u32)> {
    let mut at = sexp;
    while let [Sexp::Atom(_), below, _, _] = at.list()? {
        at = below;
    }
    let sort = at.list()?.first()?.list()?.last()?.list()?;
    let width = |sort: &Sexp| sort.list()?.last()?.atom()?.parse().ok();
    Some((width(sort.get(1)?)?, width(sort.get(2)?)?))
}

/// `#x…`, `#b…` or `(_ bv… width)`.
fn bits(sexp: &Sexp) -> Option<Bits> {
    if let Some([Sexp::Atom(_), Sexp::Atom(number), Sexp::Atom(width)]) = sexp.list() {
        let value: u128 = number.strip_prefix("bv")?.parse().ok()?;
        return Some(Bits::from_u128(width.parse().ok()?, value));
    }
    let atom = sexp.atom()?;
    let digits = |radix: u32, size: usize, text: &str| {
        let mut all = Vec::new();
        for c in text.chars().rev() {
            let digit = c.to_digit(radix)?;
            all.extend((0..size).map(|i| digit >> i & 1 == 1));
        }
        Bits::from_bits(all.into_iter())
    };
    match atom.split_at_checked(2)? {
        ("#x", text) => digits(16, 4, text),
        ("#b", text) => digits(2, 1, text),
        (_, _) => None,
    }
}

/// `(fp s e f)`, or `(_ +oo e s)` and the like.
fn float_bits(sexp: &Sexp, format: FloatFormat) -> Option<Bits> {
    let list = sexp.list()?;
    let negative = |bits: Bits| bits.or(&Bits::min_signed(format.width()));
    match (list.first()?.atom()?, list.get(1)?) {
        ("fp", sign) => {
            let pattern = bits(sign)?.concat(&bits(list.get(2)?)?).concat(&bits(list.get(3)?)?);
            (pattern.width() == format.width()).then(|| float::canonical(format, &pattern))
        }
        ("_", Sexp::Atom(name)) => match name.as_str() {
            "NaN" => Some(float::nan(format)),
            "+oo" => Some(float::infinity(format, false)),
            "-oo" => Some(float::infinity(format, true)),
            "+zero" => Some(Bits::zero(format.width())),
            "-zero" => Some(negative(Bits::zero(format.width()))),
            _ => None,
        },
        (_, _) => None,
    }
}

/// Nested stores over a constant array, with `let` for shared parts.
fn array(sexp: &Sexp, index_width: u32, value_width: u32) -> Option<ArrayValue> {
    let mut bound: FxHashMap<&str, &Sexp> = FxHashMap::default();
    let mut stores = Vec::new();
    let mut at = sexp;
    loop {
        if let Some(name) = at.atom() {
            at = bound.get(name)?;
            continue;
        }
        match at.list()? {
            [Sexp::Atom(keyword), Sexp::List(bindings), body] if keyword == "let" => {
                for binding in bindings {
                    let [Sexp::Atom(name), definition] = binding.list()? else { return None };
                    bound.insert(name, definition);
                }
                at = body;
            }
            [Sexp::Atom(keyword), below, index, value] if keyword == "store" => {
                stores.push((bits(index)?, bits(value)?));
                at = below;
            }
            [Sexp::List(_), default] => {
                let default = bits(default).filter(|b| b.width() == value_width)?;
                let mut array = ArrayValue::new(index_width, default);
                for (index, value) in stores.into_iter().rev() {
                    array.set(index, value);
                }
                return Some(array);
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, sort: Sort, expected: &str) {
        let sexp = read(text).ok().flatten().unwrap_or_else(|| panic!("{text} is incomplete"));
        assert_eq!(value(&sexp, sort).map(|v| v.to_string()), Ok(expected.to_owned()));
    }

    #[test]
    fn values() {
        check("#xff ", Sort::BitVec(8), "255:8");
        check("#b101 ", Sort::BitVec(3), "5:3");
        check("(_ bv7 16)", Sort::BitVec(16), "7:16");
        check("true ", Sort::Bool, "true");
        check("(fp #b0 #b01111 #b0000000000)", Sort::Float(FloatFormat::Half), "15360:16");
        check("(_ -oo 5 11)", Sort::Float(FloatFormat::Half), "64512:16");
        let array = Sort::Array { index: 8, value: 8 };
        check("(store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00) #x01 #x02)", array, "[1:8: 2:8, else 0:8]");
        let ones = "((as const (Array (_ BitVec 2) (_ BitVec 1))) #b1)";
        check(&format!("(= {ones} (store {ones} #b00 #b0))"), Sort::Bool, "false");
        check(&format!("(= (store {ones} #b00 #b1) {ones})"), Sort::Bool, "true");
        assert_eq!(read("(a (b"), Ok(None));
        assert!(read(")").is_err());
        assert!(value(&Sexp::Atom("#x1".to_owned()), Sort::BitVec(8)).is_err());
    }
}
