//! Servers that people use, and the clients that come with them.

use crate::failure::Failure;
use crate::go::first_line;
use rustix::process::{Pid, Signal, kill_process};
use std::io::Read;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{self, Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// A server, and who asks it: what a shell does, with these in its environment.
#[derive(Debug)]
pub struct Server {
    pub name: &'static str,
    /// `$FOLDER`, `$PORT`.
    start: &'static str,
    /// `$PORT`, `$CLIENTS`, `$COUNT`.
    ask: &'static str,
    /// What stands before the requests a second in what that prints.
    before_rate: &'static str,
    pub loads: [Load; 2],
}

/// How many connections ask how often, and at least what share of its rate is aimed at: what a prototype reached.
#[derive(Debug)]
pub struct Load {
    pub clients: u32,
    count: u32,
    pub least: Option<f64>,
}

const fn load(clients: u32, count: u32, least: Option<f64>) -> Load {
    Load {
        clients,
        count,
        least,
    }
}

pub const ALL: [Server; 2] = [
    Server {
        name: "redis",
        start: "exec redis-server --port $PORT --save '' --appendonly no --bind 127.0.0.1 --dir $FOLDER",
        ask: "exec redis-benchmark -p $PORT -c $CLIENTS -n $COUNT -t get --csv",
        before_rate: "\"GET\",\"",
        loads: [load(1, 6_000, Some(0.45)), load(50, 60_000, Some(0.9))],
    },
    // A master and two workers, as a package installs it, with its files in one folder. It stays in front.
    Server {
        name: "nginx",
        start: "echo here >$FOLDER/index.html
            exec nginx -e stderr -c /dev/null -g \"daemon off; worker_processes 2; pid $FOLDER/pid; error_log stderr crit;
                events { worker_connections 128; }
                http {
                    access_log off; client_body_temp_path $FOLDER/body; proxy_temp_path $FOLDER/proxy;
                    fastcgi_temp_path $FOLDER/fastcgi; uwsgi_temp_path $FOLDER/uwsgi; scgi_temp_path $FOLDER/scgi;
                    server { listen 127.0.0.1:$PORT; root $FOLDER; keepalive_requests 1000000; }
                }\"",
        ask: "exec ab -q -k -c $CLIENTS -n $COUNT http://127.0.0.1:$PORT/index.html",
        before_rate: "Requests per second:",
        loads: [load(1, 4_000, None), load(16, 30_000, Some(0.95))],
    },
];

/// How long a server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(10);
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(20);

/// One that runs, until this is dropped.
pub struct Running {
    child: Child,
    folder: PathBuf,
    port: u16,
}

impl Server {
    /// Starts it on a port of its own, by a command to which a program is added, and waits until it answers.
    pub fn start(&self, mut command: Command) -> Result<Running, Failure> {
        // Free now; nobody else is likely to take it in the next second.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
            .local_addr()?
            .port();
        let folder = env::temp_dir().join(format!("punctual-bench-{}-{port}", process::id()));
        fs::create_dir_all(&folder)?;
        let path = env::var("PATH").unwrap_or_default();
        // Servers are often beside the programs of administrators.
        command.env("PATH", path + ":/usr/local/sbin:/usr/sbin");
        command
            .args(["-c", self.start])
            .env("FOLDER", &folder)
            .env("PORT", port.to_string());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let child = command.spawn()?;
        let mut running = Running {
            child,
            folder,
            port,
        };
        let begin = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if running.child.try_wait()?.is_some() {
                let mut said = Vec::new();
                let errors = running.child.stderr.take().ok_or("it has no errors")?;
                errors.take(1_000).read_to_end(&mut said)?;
                return Err(first_line(&said).into());
            }
            if begin.elapsed() > PATIENCE {
                return Err("does not answer".into());
            }
            thread::sleep(BETWEEN_ATTEMPTS);
        }
        Ok(running)
    }

    /// Requests a second.
    pub fn ask(&self, running: &Running, load: &Load) -> Result<f64, Failure> {
        let mut client = Command::new("sh");
        client
            .args(["-c", self.ask])
            .env("PORT", running.port.to_string());
        client
            .env("CLIENTS", load.clients.to_string())
            .env("COUNT", load.count.to_string());
        let done = client.output()?;
        let rate = self.rate(&String::from_utf8_lossy(&done.stdout));
        Ok(rate.ok_or_else(|| first_line(&done.stderr))?)
    }

    fn rate(&self, said: &str) -> Option<f64> {
        let (_, rate) = said.split_once(self.before_rate)?;
        let is_no_figure = |letter: char| !letter.is_ascii_digit() && letter != '.';
        rate.trim_start().split(is_no_figure).next()?.parse().ok()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It ends on this signal, also where another program hands it on.
        if kill_process(Pid::from_child(&self.child), Signal::TERM).is_ok() {
            // It cannot fail for a child of ours.
            let _ = self.child.wait();
        }
        // Temporary, and of ours.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_found_in_what_clients_print() {
        let [redis, nginx] = &ALL;
        let said = "\"test\",\"rps\",\"avg_latency_ms\"\n\"GET\",\"49751.24\",\"0.270\"\n";
        assert_eq!(redis.rate(said), Some(49_751.24));
        let said = "Complete requests: 9\nRequests per second:    10101.01 [#/sec] (mean)\n";
        assert_eq!(nginx.rate(said), Some(10_101.01));
        assert_eq!(nginx.rate("Usage: ab"), None);
    }
}
