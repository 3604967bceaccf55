//! Queries as SMT-LIB text.
//!
//! Operators that SMT-LIB lacks are expanded where they are printed: overflow of products by a wider product, and
//! conversions from floats to integers by their bounds, because SMT-LIB leaves what is out of range open. A float's
//! bit pattern is a constant that converts back to the float.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use crate::float;
use crate::sort::{FloatFormat, Rounding, Sort};
use crate::terms::{FloatClass, Op, TermId, Terms, VarId};

/// A whole script: all assertions, the assumptions, `check-sat`, and if satisfiable the values of all variables.
pub fn script(terms: &Terms, asserted: &[TermId], assumptions: &[TermId]) -> String {
    let mut printer = Printer::new(terms);
    printer.line("(set-logic ALL)");
    let all: Vec<TermId> = asserted.iter().chain(assumptions).copied().collect();
    printer.define(&all);
    for &term in &all {
        let name = printer.name(term);
        printer.line(&format!("(assert {name})"));
    }
    printer.line("(check-sat)");
    printer.text
}

/// Prints terms, each shared part once.
pub(super) struct Printer<'a> {
    terms: &'a Terms,
    defined: FxHashSet<TermId>,
    /// The text so far.
    pub(super) text: String,
}

impl<'a> Printer<'a> {
    pub(super) fn new(terms: &'a Terms) -> Self {
        Printer { terms, defined: FxHashSet::default(), text: String::new() }
    }

    /// Adds one line.
    pub(super) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Declares and defines all that the roots consist of.
    pub(super) fn define(&mut self, roots: &[TermId]) {
        for term in self.terms.post_order(roots) {
            if !self.defined.insert(term) {
                continue;
            }
            match self.terms.op(term) {
                Op::Bool(_) | Op::Const(_) => {}
                Op::Var(var) => {
                    let line = format!("(declare-const {} {})", symbol(self.terms, var), self.terms.sort(term));
                    self.line(&line);
                }
                Op::FpToBits => self.define_pattern(term),
                _ => {
                    let body = self.body(term);
                    let line = format!("(define-fun {term} () {} {body})", self.terms.sort(term));
                    self.line(&line);
                }
            }
        }
    }

    /// A pattern is any that converts to the float, and the canonical one for NaN.
    fn define_pattern(&mut self, term: TermId) {
        let arg = self.terms.arg(term, 0);
        let Sort::Float(format) = self.terms.sort(arg) else { return };
        let (float, sort) = (self.name(arg), self.terms.sort(term));
        let back = to_fp(format);
        let nan = float::nan(format).smtlib();
        self.line(&format!("(declare-const {term} {sort})"));
        self.line(&format!("(assert (= ({back} {term}) {float}))"));
        self.line(&format!("(assert (=> (fp.isNaN {float}) (= {term} {nan})))"));
    }

    /// How a term is referred to.
    pub(super) fn name(&self, term: TermId) -> String {
        match (self.terms.op(term), self.terms.as_const(term)) {
            (Op::Bool(value), _) => value.to_string(),
            (Op::Var(var), _) => symbol(self.terms, var),
            (Op::Const(_), Some(bits)) => match self.terms.sort(term) {
                Sort::Float(format) => format!("({} {})", to_fp(format), bits.smtlib()),
                Sort::Bool | Sort::BitVec(_) | Sort::Array { .. } => bits.smtlib(),
            },
            (_, _) => term.to_string(),
        }
    }

    fn apply(&self, operator: &str, args: &[TermId]) -> String {
        let mut text = format!("({operator}");
        for &arg in args {
            let _ = write!(text, " {}", self.name(arg));
        }
        text + ")"
    }

    fn body(&self, term: TermId) -> String {
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::And if args.is_empty() => "true".to_owned(),
            Op::ConstArray(_) => {
                format!("((as const {}) {})", self.terms.sort(term), self.name(args[0]))
            }
            Op::BvUmulO => self.wide_product(args, "zero_extend"),
            Op::BvSmulO => self.wide_product(args, "sign_extend"),
            Op::FpMin => self.extremum(args, "fp.min", "fp.isNegative"),
            Op::FpMax => self.extremum(args, "fp.max", "fp.isPositive"),
            Op::FpToSigned(width, mode) => self.to_integer(args[0], width, mode, true),
            Op::FpToUnsigned(width, mode) => self.to_integer(args[0], width, mode, false),
            op => self.apply(&operator(op), args),
        }
    }

    /// The product does not fit if twice the width holds something else.
    fn wide_product(&self, args: &[TermId], extend: &str) -> String {
        let width = self.terms.width(args[0]);
        let wide = |t: TermId| format!("((_ {extend} {width}) {})", self.name(t));
        let product = format!("(bvmul {} {})", wide(args[0]), wide(args[1]));
        format!("(distinct {product} ((_ {extend} {width}) ((_ extract {} 0) {product})))", width - 1)
    }

    /// SMT-LIB leaves the sign of zero open.
    fn extremum(&self, args: &[TermId], operator: &str, wins: &str) -> String {
        let (a, b) = (self.name(args[0]), self.name(args[1]));
        let zeros = format!("(and (fp.isZero {a}) (fp.isZero {b}))");
        format!("(ite {zeros} (ite ({wins} {a}) {a} {b}) ({operator} {a} {b}))")
    }

    /// Out of range means the nearest bound, and NaN means 0.
    fn to_integer(&self, arg: TermId, width: u32, mode: Rounding, signed: bool) -> String {
        use crate::bits::Bits;
        let Sort::Float(format) = self.terms.sort(arg) else { return String::new() };
        let float = self.name(arg);
        let (least, most) = if signed {
            (Bits::min_signed(width), Bits::min_signed(width).not())
        } else {
            (Bits::zero(width), Bits::ones(width))
        };
        let (kind, convert) = if signed { ("to_fp", "fp.to_sbv") } else { ("to_fp_unsigned", "fp.to_ubv") };
        let bound = |k: &Bits| format!("((_ {kind} {} {}) RTZ {})", format.exponent(), format.precision(), k.smtlib());
        let whole = format!("(fp.roundToIntegral {} {float})", mode.smtlib());
        let (low, high) = (bound(&least), bound(&most));
        let exact = format!("((_ {convert} {width}) {} {float})", mode.smtlib());
        let (least, most, zero) = (least.smtlib(), most.smtlib(), Bits::zero(width).smtlib());
        format!(
            "(ite (fp.isNaN {float}) {zero} (ite (fp.lt {whole} {low}) {least} (ite (fp.gt {whole} {high}) {most} {exact})))"
        )
    }
}

/// A variable's name, quoted if SMT-LIB asks for it.
pub(super) fn symbol(terms: &Terms, var: VarId) -> String {
    let name = terms.var_name(var);
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let digit = name.starts_with(|c: char| c.is_ascii_digit());
    // Names of the form t12 are taken by definitions.
    let taken = name.strip_prefix('t').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    if taken {
        return format!("|{name} |");
    }
    if !name.is_empty() && !digit && name.chars().all(plain) {
        return name.to_owned();
    }
    format!("|{}|", name.replace(['|', '\\'], "_"))
}

fn to_fp(format: FloatFormat) -> String {
    format!("(_ to_fp {} {})", format.exponent(), format.precision())
}

/// The SMT-LIB operator.
fn operator(op: Op) -> String {
    let plain = match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::BvNot => "bvnot",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvNeg => "bvneg",
        Op::BvAdd => "bvadd",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUlt => "bvult",
        Op::BvSlt => "bvslt",
        Op::Concat => "concat",
        Op::Select => "select",
        Op::Store => "store",
        Op::FpAbs => "fp.abs",
        Op::FpNeg => "fp.neg",
        Op::FpRem => "fp.rem",
        Op::FpLt => "fp.lt",
        Op::FpLe => "fp.leq",
        Op::FpEq => "fp.eq",
        Op::FpIs(class) => class_predicate(class),
        Op::Extract { hi, lo } => return format!("(_ extract {hi} {lo})"),
        Op::SignExt(by) => return format!("(_ sign_extend {by})"),
        Op::FpFromBits(format) => return to_fp(format),
        Op::FpAdd(mode) => return format!("fp.add {}", mode.smtlib()),
        Op::FpMul(mode) => return format!("fp.mul {}", mode.smtlib()),
        Op::FpDiv(mode) => return format!("fp.div {}", mode.smtlib()),
        Op::FpFma(mode) => return format!("fp.fma {}", mode.smtlib()),
        Op::FpSqrt(mode) => return format!("fp.sqrt {}", mode.smtlib()),
        Op::FpRound(mode) => return format!("fp.roundToIntegral {}", mode.smtlib()),
        Op::FpFromFp(format, mode) | Op::FpFromSigned(format, mode) => {
            return format!("{} {}", to_fp(format), mode.smtlib());
        }
        Op::FpFromUnsigned(format, mode) => {
            return format!("(_ to_fp_unsigned {} {}) {}", format.exponent(), format.precision(), mode.smtlib());
        }
        Op::Bool(_) | Op::Const(_) | Op::Var(_) | Op::ConstArray(_) | Op::FpToBits => "",
        Op::BvUmulO | Op::BvSmulO | Op::FpMin | Op::FpMax | Op::FpToSigned(..) | Op::FpToUnsigned(..) => "",
    };
    plain.to_owned()
}

fn class_predicate(class: FloatClass) -> &'static str {
    match class {
        FloatClass::Nan => "fp.isNaN",
        FloatClass::Infinite => "fp.isInfinite",
        FloatClass::Zero => "fp.isZero",
        FloatClass::Normal => "fp.isNormal",
        FloatClass::Subnormal => "fp.isSubnormal",
        FloatClass::Negative => "fp.isNegative",
        FloatClass::Positive => "fp.isPositive",
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_query_as_text() {
        let mut terms = Terms::new();
        let (x, y, a) = (terms.bv_var("x", 8), terms.bv_var("t0", 8), terms.array_var("an array", 8, 8));
        let sum = terms.add(x, y);
        let read = terms.select(a, sum);
        let less = terms.ult(read, sum);
        let five = terms.bv(8, 5);
        let is_five = terms.eq(x, five);
        expect![[r#"
            (set-logic ALL)
            (declare-const |an array| (Array (_ BitVec 8) (_ BitVec 8)))
            (declare-const x (_ BitVec 8))
            (declare-const |t0 | (_ BitVec 8))
            (define-fun t5 () (_ BitVec 8) (bvadd x |t0 |))
            (define-fun t6 () (_ BitVec 8) (select |an array| t5))
            (define-fun t7 () Bool (bvult t6 t5))
            (define-fun t9 () Bool (= x #x05))
            (assert t7)
            (assert t9)
            (check-sat)
        "#]]
        .assert_eq(&script(&terms, &[less], &[is_five]));
    }
}
