//! Properties that can be violated, and sets of them.

use std::fmt;
use std::str::FromStr;

/// A property as the user selects it with `--property`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Property {
    /// `assert`, `__VERIFIER_assert`, calls of `reach_error` and `__VERIFIER_error`.
    Assert,
    /// No thread can move, or some threads wait for each other.
    Deadlock,
    /// Misuse of a synchronisation object.
    Lock,
    /// Null, out-of-bounds and freed accesses, bad frees.
    Memory,
    /// Division by zero.
    Division,
    /// Data races.
    Race,
    /// Signed overflow.
    Overflow,
    /// Memory that is lost at the end.
    Leak,
    /// Reads of uninitialised memory.
    Uninit,
}

impl Property {
    /// All properties, in the order of the documentation.
    pub const ALL: [Property; 9] = [
        Property::Assert,
        Property::Deadlock,
        Property::Lock,
        Property::Memory,
        Property::Division,
        Property::Race,
        Property::Overflow,
        Property::Leak,
        Property::Uninit,
    ];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Property::Assert => "assert",
            Property::Deadlock => "deadlock",
            Property::Lock => "lock",
            Property::Memory => "memory",
            Property::Division => "division",
            Property::Race => "race",
            Property::Overflow => "overflow",
            Property::Leak => "leak",
            Property::Uninit => "uninit",
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Property {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Property::ALL.into_iter().find(|p| p.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Property::ALL.iter().map(|p| p.name()).collect();
            format!("unknown property `{name}`: the properties are {}; `default` and `all` are sets", names.join(", "))
        })
    }
}

/// A set of properties.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PropertySet(u16);

impl PropertySet {
    /// No property.
    pub const EMPTY: PropertySet = PropertySet(0);

    /// Every property.
    pub fn all() -> Self {
        Property::ALL.into_iter().collect()
    }

    /// The set with `property` added.
    pub fn with(self, property: Property) -> Self {
        PropertySet(self.0 | 1 << property as u16)
    }

    /// Whether `property` is in the set.
    #[inline]
    pub fn contains(self, property: Property) -> bool {
        self.0 & (1 << property as u16) != 0
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members in the order of [`Property::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |&p| self.contains(p))
    }
}

/// What is checked where nothing else is said.
impl Default for PropertySet {
    fn default() -> Self {
        [Property::Assert, Property::Deadlock, Property::Lock, Property::Memory, Property::Division]
            .into_iter()
            .collect()
    }
}

impl FromIterator<Property> for PropertySet {
    fn from_iter<I: IntoIterator<Item = Property>>(iter: I) -> Self {
        iter.into_iter().fold(PropertySet::EMPTY, PropertySet::with)
    }
}

impl fmt::Display for PropertySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Property::name).collect();
        f.write_str(&names.join(","))
    }
}

impl fmt::Debug for PropertySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// A comma-separated list, or `all`, or `default`.
impl FromStr for PropertySet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',').map(str::trim).try_fold(PropertySet::EMPTY, |set, name| match name {
            "all" => Ok(PropertySet::all()),
            "default" => Ok(PropertySet(set.0 | PropertySet::default().0)),
            _ => name.parse().map(|p| set.with(p)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_parse_and_print() {
        let set: PropertySet = "race, assert".parse().unwrap();
        assert_eq!(set.to_string(), "assert,race");
        assert_eq!("all".parse::<PropertySet>().unwrap(), PropertySet::all());
        assert_eq!(PropertySet::default().to_string(), "assert,deadlock,lock,memory,division");
        let error = "asert".parse::<PropertySet>().unwrap_err();
        assert!(error.starts_with("unknown property `asert`: the properties are assert, deadlock, lock,"), "{error}");
    }
}
