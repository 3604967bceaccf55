//! All analyses of a whole program in one place.

use heddle_base::{Budget, Stop};

use crate::callgraph::CallGraph;
use crate::points_to::PointsTo;
use crate::program::Program;
use crate::sharing::Sharing;
use crate::threads::Threads;

/// What is known about a program before any of it is executed.
#[derive(Debug)]
pub struct Analysis {
    /// What pointers can point to.
    pub points_to: PointsTo,
    /// Who calls whom.
    pub call_graph: CallGraph,
    /// Which kinds of threads there are, and which run at once.
    pub threads: Threads,
    /// Which steps touch memory that other threads touch.
    pub sharing: Sharing,
}

impl Analysis {
    /// Analyses a well-formed program.
    pub fn new(program: &Program) -> Self {
        Self::from_points_to(program, PointsTo::new(program))
    }

    /// The same, unless a limit is reached.
    pub fn within(program: &Program, budget: &Budget) -> Result<Self, Stop> {
        Ok(Self::from_points_to(program, PointsTo::within(program, budget)?))
    }

    fn from_points_to(program: &Program, points_to: PointsTo) -> Self {
        let call_graph = CallGraph::new(program, &points_to);
        let threads = Threads::new(program, &points_to);
        let sharing = Sharing::new(program, &points_to, &threads);
        Analysis { points_to, call_graph, threads, sharing }
    }
}
