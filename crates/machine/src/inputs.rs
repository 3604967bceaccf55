//! Values for `havoc` steps.
//!
//! An input is read by name; each thread counts how often it read each input, so a value is named by (input, thread,
//! occurrence) and does not depend on the schedule. What is not given falls back to zero, to a random number, or (in
//! exploration) to the first value of the input's domain.

use heddle_ir::{InputId, InputKind, Program, Ty};
use rustc_hash::FxHashMap;

use crate::machine::Machine;
use heddle_base::Random;
use heddle_ir::value::{bits_of, truncate};
use heddle_task::ThreadId;

/// One reading of an input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reading {
    /// The input.
    pub input: InputId,
    /// Who read it.
    pub thread: ThreadId,
    /// The number of times that this thread had read this input before.
    pub occurrence: u32,
}

/// What an input that has no value gets.
#[derive(Clone, Debug, Default)]
pub enum Fallback {
    /// Zero.
    #[default]
    Zero,
    /// A random number, often a small or an extreme one.
    Random(Random),
}

/// Where values come from, and which were read.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    given: FxHashMap<Reading, u128>,
    /// Values of an input in the order of occurrences, the same for every thread; the last one stays.
    lists: FxHashMap<InputId, Vec<u128>>,
    domains: FxHashMap<InputId, Vec<u128>>,
    fallback: Fallback,
    /// Every reading whose value was not zero, and every one with a domain.
    log: Vec<(Reading, u128)>,
}

/// An input vector does not fit the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputError {
    /// The program has no input of this name.
    Unknown(String),
    /// The value does not fit the input's type.
    OutOfRange {
        /// The input.
        name: String,
        /// The value.
        value: i128,
        /// The type.
        ty: Ty,
    },
}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InputError::Unknown(name) => write!(f, "the program has no input `{name}`"),
            InputError::OutOfRange { name, value, ty } => {
                write!(f, "{value} is out of range for input `{name}` of type {ty}")
            }
        }
    }
}

impl std::error::Error for InputError {}

impl Inputs {
    /// Sets what inputs without a value get.
    pub fn set_fallback(&mut self, fallback: Fallback) {
        self.fallback = fallback;
    }

    /// Gives one reading its value.
    pub fn give(&mut self, reading: Reading, bits: u128) {
        self.given.insert(reading, bits);
    }

    /// Gives an input its values by name, for every thread: the first reading gets the first one, and so on.
    pub fn give_list(&mut self, program: &Program, name: &str, values: &[i128]) -> Result<(), InputError> {
        let (id, bits) = checked(program, name, values)?;
        self.lists.insert(id, bits);
        Ok(())
    }

    /// Declares all values that an input can have, for exploration.
    pub fn set_domain(&mut self, input: InputId, values: Vec<u128>) {
        self.domains.insert(input, values);
    }

    /// An input and its values, as bits.
    pub fn domain_of(program: &Program, name: &str, values: &[i128]) -> Result<(InputId, Vec<u128>), InputError> {
        checked(program, name, values)
    }

    /// What was read and could differ from zero, in order.
    pub fn log(&self) -> &[(Reading, u128)] {
        &self.log
    }

    /// The values that a reading can have, if they are known.
    pub fn domain(&self, program: &Program, input: InputId) -> Option<Vec<u128>> {
        let natural = || (program.inputs[input].ty == Ty::Bool).then(|| vec![0, 1]);
        self.domains.get(&input).cloned().or_else(natural)
    }

    /// Forgets single readings that were given.
    pub fn clear_given(&mut self) {
        self.given.clear();
    }

    pub(crate) fn reset(&mut self) {
        self.log.clear();
    }

    /// Forgets what was read since the log was so long.
    pub(crate) fn forget_since(&mut self, len: usize) {
        self.log.truncate(len);
    }
}

impl Machine<'_> {
    /// The value of the next reading of an input.
    pub(crate) fn input_value(
        &mut self,
        thread: ThreadId,
        counts: &mut Vec<(InputId, u32)>,
        input: InputId,
    ) -> (Ty, u128) {
        let declared = &self.program.inputs[input];
        let ty = declared.ty;
        let occurrence = counts.iter().find(|c| c.0 == input).map_or(0, |c| c.1);
        let reading = Reading { input, thread, occurrence };
        let value = self.choose(reading, declared.kind, ty);
        self.notes.waits_for_input |= self.probing;
        if !self.probing {
            match counts.iter_mut().find(|c| c.0 == input) {
                Some(count) => count.1 += 1,
                None => counts.push((input, 1)),
            }
            if value != 0 || self.inputs.domain(self.program, input).is_some() {
                self.inputs.log.push((reading, value));
            }
        }
        (ty, value)
    }

    fn choose(&mut self, reading: Reading, kind: InputKind, ty: Ty) -> u128 {
        let inputs = &mut self.inputs;
        if let Some(&value) = inputs.given.get(&reading) {
            return value;
        }
        if let Some(list) = inputs.lists.get(&reading.input).filter(|list| !list.is_empty()) {
            return list[(reading.occurrence as usize).min(list.len() - 1)];
        }
        if kind == InputKind::Uninit {
            return 0;
        }
        if let Some(domain) = inputs.domain(self.program, reading.input) {
            let index = match &mut inputs.fallback {
                Fallback::Random(random) if !domain.is_empty() => random.below(domain.len() as u64) as usize,
                Fallback::Random(_) | Fallback::Zero => 0,
            };
            return domain.get(index).copied().unwrap_or(0);
        }
        let name = &self.program.inputs[reading.input].name;
        self.notes.free_input.get_or_insert_with(|| name.clone());
        match &mut inputs.fallback {
            Fallback::Zero => 0,
            Fallback::Random(random) => random_value(random, ty),
        }
    }
}

fn checked(program: &Program, name: &str, values: &[i128]) -> Result<(InputId, Vec<u128>), InputError> {
    let found = program.inputs.iter_enumerated().find(|(_, input)| input.name == name);
    let (id, input) = found.ok_or_else(|| InputError::Unknown(name.to_owned()))?;
    let bits = bits_of(input.ty);
    let fits = |value: i128| bits >= 128 || (value >= -(1 << (bits - 1)) && value < 1 << bits);
    if let Some(&value) = values.iter().find(|&&value| !fits(value)) {
        return Err(InputError::OutOfRange { name: name.to_owned(), value, ty: input.ty });
    }
    Ok((id, values.iter().map(|&value| truncate(value as u128, bits)).collect()))
}

/// Small numbers half of the time: programs compare inputs with small constants and use them as sizes.
fn random_value(random: &mut Random, ty: Ty) -> u128 {
    let bits = bits_of(ty);
    match ty {
        Ty::Ptr => 0,
        Ty::F32 => u128::from(((random.below(2001) as f32 - 1000.0) / 8.0).to_bits()),
        Ty::F64 => u128::from(((random.below(2001) as f64 - 1000.0) / 8.0).to_bits()),
        Ty::F16 | Ty::F80 | Ty::F128 => {
            heddle_ir::value::cast(heddle_ir::CastOp::SToF, Ty::I32, ty, u128::from(random.below(100)))
        }
        Ty::Bool | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 => match random.below(8) {
            0..4 => truncate(u128::from(random.below(17)), bits),
            4 => truncate(u128::from(random.below(17)).wrapping_neg(), bits),
            5 => truncate(u128::from(random.below(257)), bits),
            6 => truncate((1u128 << (bits - 1)).wrapping_sub(u128::from(random.below(2))), bits),
            _ => truncate(u128::from(random.next()) | u128::from(random.next()) << 64, bits),
        },
    }
}
