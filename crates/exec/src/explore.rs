//! stub
/// stub
pub struct Explore;
/// stub
pub struct ExploreConfig;
/// stub
pub struct Reduction;
