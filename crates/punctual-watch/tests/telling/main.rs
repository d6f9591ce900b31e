//! What a watch tells, and to whom: the exposition, the textfile, and HTTP with clients good and bad; what is asked of
//! the Prometheus that keeps it, and the files for a fleet.

mod client;
mod command;
mod document;
mod exposition;
mod fleet;
mod hostile;
mod http;
mod os;
mod page;
mod samples;
mod textfile;
