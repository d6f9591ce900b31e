//! What a watch tells, and to whom: the exposition, the textfile, and HTTP with clients good and bad.

mod client;
mod document;
mod exposition;
mod hostile;
mod http;
mod os;
mod page;
mod samples;
mod textfile;
