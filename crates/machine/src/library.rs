//! Library functions that the machine computes for programs that are compiled to be executed: functions of real numbers, texts of
//! numbers, files. They are output steps whose function has the prefix [`PREFIX`]; in programs that are compiled to be verified there are
//! none, because there the results are arbitrary (see `heddle_c_front`'s models).
//!
//! Numbers are computed by the mathematical library that a compiled program would use. What cannot be computed as the compiled program
//! does is refused by its name; no result is made up.

use heddle_ir::value::{Pointer, bits_of, sign_extend};
use heddle_ir::{StepKind, float};

use crate::files::{Denied, Mode, STANDARD_INPUT};
use crate::machine::{Halt, Limit, Machine};
use crate::output::{Arg, Refused, number_text};

/// What the names of these functions begin with.
pub const PREFIX: &str = "machine.";

/// Whether a program may read standard input.
pub fn reads_input(program: &heddle_ir::Program) -> bool {
    let reads = |kind: &StepKind| matches!(kind, StepKind::Output { function, .. } if function == "machine.fgetc");
    program.functions.iter().any(|function| function.steps.iter().any(|step| reads(&step.kind)))
}

impl Machine<'_> {
    /// Computes a function: the bits of its result.
    pub(crate) fn compute(&mut self, function: &str, args: &[Arg]) -> Result<u64, Refused> {
        let real = |index: usize| {
            args.get(index).filter(|arg| arg.0.is_float()).map_or(0.0, |&(ty, bits)| float::to_f64(ty, bits))
        };
        if let Some(result) = real_function(function, real(0), real(1)) {
            return Ok(result.to_bits());
        }
        let single = |index: usize| args.get(index).map_or(0.0, |&(_, bits)| f32::from_bits(bits as u32));
        if let Some(result) = single_function(function, single(0), single(1)) {
            return Ok(u64::from(result.to_bits()));
        }
        let number = |index: usize| args.get(index).map_or(0, |arg| arg.1 as u64);
        match function {
            "ldexp" => Ok(scaled(real(0), number(1) as u32 as i32).to_bits()),
            "strtod" => self.parsed::<f64>(function, number(0), number(1)).map(f64::to_bits),
            "strtof" => self.parsed::<f32>(function, number(0), number(1)).map(|x| u64::from(x.to_bits())),
            "float_text" => {
                let letter = number(1) as u8;
                let precision = usize::try_from(sign_extend(u128::from(number(2)), 32)).ok();
                let text = number_text(letter, precision, number(3) != 0, real(0).abs());
                Ok(self.provide(text.into_bytes()))
            }
            "strerror" => {
                let error = std::io::Error::from_raw_os_error(number(0) as u32 as i32).to_string();
                let text = error.split(" (os error").next().unwrap_or_default().to_owned();
                Ok(self.provide(text.into_bytes()))
            }
            "byte" => Ok(self.files.text.get(number(0) as usize).copied().unwrap_or(0).into()),
            _ => self.file_function(function, args),
        }
    }

    /// Keeps a text for the program to fetch: its length.
    fn provide(&mut self, text: Vec<u8>) -> u64 {
        self.files.text = text;
        self.files.text.len() as u64
    }

    /// A number of `len` characters, without its sign.
    fn parsed<T: std::str::FromStr>(&self, function: &str, pointer: u64, len: u64) -> Result<T, Refused> {
        let text = self.memory.text(Pointer::from_bits(pointer), len as usize).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).trim_start().trim_start_matches(['-', '+']).to_owned();
        text.parse().map_err(|_| Refused::Unsupported(format!("`{function}` of {text}")))
    }

    fn file_function(&mut self, function: &str, args: &[Arg]) -> Result<u64, Refused> {
        let number = |index: usize| args.get(index).map_or(0, |arg| arg.1 as u64);
        let signed = |index: usize| args.get(index).map_or(0, |&(ty, bits)| sign_extend(bits, bits_of(ty)) as i64);
        let path = |this: &Self, index: usize| {
            let text = this.memory.text(Pointer::from_bits(number(index)), 1 << 12);
            text.ok_or_else(|| Refused::Unsupported("a name of a file that cannot be read".to_owned()))
        };
        let stream = number(0);
        if function != "fopen" && function != "open" && stream == STANDARD_INPUT {
            match &self.config.standard_input {
                Some(bytes) => self.files.provide_input(bytes),
                None => return Err(Refused::Unsupported("standard input".to_owned())),
            }
        }
        let result = match function {
            "fopen" => {
                let mode = path(self, 1)?;
                let mode =
                    Mode::of_stream(&mode).ok_or_else(|| Refused::Unsupported("a mode of `fopen`".to_owned()))?;
                let path = path(self, 0)?;
                self.files.open(&path, mode)
            }
            "open" => {
                let path = path(self, 0)?;
                self.files.open(&path, Mode::of_flags(number(1)))
            }
            "tmpfile" => self.files.temporary(),
            "is_open" => Ok(u64::from(self.files.is_open(stream))),
            "fclose" => Ok(u64::from(!self.files.close(stream)) * u64::from(u32::MAX)),
            "fgetc" => Ok(self.files.next(stream).map_or(u64::from(u32::MAX), u64::from)),
            "ungetc" => Ok(u64::from(self.files.unread(stream, number(1) as u8))),
            "feof" => Ok(u64::from(self.files.flags(stream).0)),
            "ferror" => Ok(u64::from(self.files.flags(stream).1)),
            "set_flags" => {
                self.files.set_flags(stream, number(1) != 0, number(2) != 0);
                Ok(0)
            }
            "fseek" => self.files.seek(stream, signed(1), number(2)).map(|()| 0),
            "ftell" => Ok(self.files.place(stream).unwrap_or(u64::from(u32::MAX))),
            "rest" => Ok(self.files.rest(stream)),
            "remove" => {
                let path = path(self, 0)?;
                self.files.remove(&path).map(|()| 0)
            }
            "rename" => {
                let (from, to) = (path(self, 0)?, path(self, 1)?);
                self.files.rename(&from, &to).map(|()| 0)
            }
            _ => return Err(Refused::Unsupported(format!("`{function}`"))),
        };
        match result {
            Ok(value) => Ok(value & u64::from(u32::MAX)),
            // A negative result is an error number, as of system calls.
            Err(Denied::Error(number)) => Ok(u64::from((-number) as u32)),
            Err(Denied::OnDisk(name)) => {
                Err(Refused::Unsupported(format!("the file {name}, which the program did not write")))
            }
        }
    }

    /// Writes to a file: whether it is one, and takes it.
    pub(crate) fn write_file(&mut self, stream: u64, bytes: &[u8]) -> Result<bool, Refused> {
        if self.files.bytes() + bytes.len() > self.config.limits.memory as usize {
            return Err(Refused::Halt(Halt::Limit(Limit::Memory)));
        }
        Ok(self.files.write(stream, bytes))
    }
}

/// Functions of double precision.
fn real_function(function: &str, x: f64, y: f64) -> Option<f64> {
    Some(match function {
        "pow" => x.powf(y),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "atan2" => x.atan2(y),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "hypot" => x.hypot(y),
        _ => return None,
    })
}

/// Functions of single precision.
fn single_function(function: &str, x: f32, y: f32) -> Option<f32> {
    Some(match function {
        "powf" => x.powf(y),
        "expf" => x.exp(),
        "exp2f" => x.exp2(),
        "logf" => x.ln(),
        "log2f" => x.log2(),
        "log10f" => x.log10(),
        "sinf" => x.sin(),
        "cosf" => x.cos(),
        "tanf" => x.tan(),
        "asinf" => x.asin(),
        "acosf" => x.acos(),
        "atanf" => x.atan(),
        "atan2f" => x.atan2(y),
        "hypotf" => x.hypot(y),
        _ => return None,
    })
}

/// x times two to the power of n, rounded once.
fn scaled(mut x: f64, mut n: i32) -> f64 {
    let power = |n: i32| f64::from_bits(((1023 + n) as u64) << 52);
    while n > 1023 && x.is_finite() && x != 0.0 {
        x *= power(1023);
        n -= 1023;
    }
    while n < -1022 && x != 0.0 {
        // Not below the normal numbers before the last step: 53 digits stay.
        x *= power(-1022 + 53);
        n += 1022 - 53;
    }
    if x.is_finite() && x != 0.0 { x * power(n.clamp(-1022, 1023)) } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_rounds_once() {
        assert_eq!(scaled(1.0, 3), 8.0);
        assert_eq!(scaled(1.5, -1074), 1e-323);
        assert_eq!(scaled(5e-324, 2097), f64::from_bits(2046 << 52));
        assert_eq!(scaled(-1.0, 5000), f64::NEG_INFINITY);
        assert_eq!(scaled(1.0, i32::MIN), 0.0);
        // A tie that rounding twice would break: 1 + 2^-52 times 2^-1074 is just above one half of nothing.
        assert_eq!(scaled(1.0 + f64::EPSILON, -1075), 5e-324);
        assert_eq!(scaled(1.0, -1075), 0.0);
    }

    #[test]
    fn functions_have_their_names() {
        assert_eq!(real_function("sin", 2.0, 0.0), Some(2f64.sin()));
        assert_eq!(single_function("powf", 2.0, 3.0), Some(8.0));
        assert_eq!(real_function("puts", 0.0, 0.0), None);
    }
}
