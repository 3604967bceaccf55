#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::c(data));
