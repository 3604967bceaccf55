//! The whole answer to a task, as one value that can be stored and sent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::verdict::{Verdict, Warning};

/// The version of the format that an [`Answer`] is stored in. It grows with every change that older readers cannot read.
pub const ANSWER_VERSION: u32 = 1;

/// What came of a check. Reports are made from this and nothing else.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The version of the format.
    pub version: u32,
    /// The engine that gave the verdict.
    pub engine: String,
    /// The engine that was asked, which may have asked others.
    pub asked: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What is worth a look and no violation.
    pub warnings: Vec<Warning>,
    /// Named numbers.
    pub statistics: BTreeMap<String, f64>,
    /// How it was found, line by line, where the engine tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub story: Vec<String>,
}

impl Answer {
    /// An answer by the engine that was asked, without warnings and numbers.
    pub fn new(asked: &str, verdict: Verdict) -> Self {
        Answer {
            version: ANSWER_VERSION,
            engine: asked.to_owned(),
            asked: asked.to_owned(),
            verdict,
            warnings: Vec::new(),
            statistics: BTreeMap::new(),
            story: Vec::new(),
        }
    }

    /// As one JSON object.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an answer is plain data")
    }

    /// Reads what [`Answer::to_json`] wrote.
    pub fn parse(text: &str) -> Result<Self, String> {
        let answer: Answer = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if answer.version == ANSWER_VERSION {
            return Ok(answer);
        }
        Err(format!("version {} of answers, and {ANSWER_VERSION} is known", answer.version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Reason;
    use crate::{Bounds, Coverage, Proof, Schedule, Statistics, Trace, Within};

    #[test]
    fn answers_can_be_stored() {
        for verdict in [
            Verdict::Safe(Proof::CompleteUnwinding),
            Verdict::SafeWithin(Box::new(Within {
                bounds: Bounds { unwind: Some(3), ..Bounds::default() },
                ..Within::default()
            })),
            Verdict::Unknown(Reason::Unsupported("it".to_owned())),
        ] {
            let mut answer = Answer::new("auto", verdict);
            answer.engine = "order".to_owned();
            answer.statistics.insert("steps".to_owned(), 4.0);
            let read = Answer::parse(&answer.to_json()).expect("as it was written");
            assert_eq!(format!("{read:?}"), format!("{answer:?}"));
        }
    }

    #[test]
    fn answers_of_another_version_are_refused() {
        let mut answer = Answer::new("order", Verdict::Unknown(Reason::Time));
        answer.version += 1;
        assert!(Answer::parse(&answer.to_json()).is_err());
    }

    #[test]
    fn results_can_be_sent() {
        fn sendable<T: Send>() {}
        sendable::<(Answer, Coverage, Statistics, Schedule, Trace)>();
    }
}
