//! Servers that people use, and the clients that come with them.

use crate::failure::Failure;
use crate::go::first_line;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, io};

/// About how long a turn takes.
pub const TURN: Duration = Duration::from_millis(700);

/// What a prototype reached: server, connections, share of its rate.
pub const AIMS: [(&str, u32, f64); 3] =
    [("redis", 1, 0.45), ("redis", 50, 0.9), ("nginx", 16, 0.95)];

/// How long a server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(10);
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(20);

/// A server, and who asks it.
#[derive(Debug)]
pub struct Server {
    pub name: &'static str,
    pub program: &'static str,
    pub clients: &'static [u32],
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Redis,
    Nginx,
}

/// One that runs, until this is dropped.
pub struct Running {
    child: Child,
    folder: PathBuf,
    port: u16,
    kind: Kind,
}

pub fn all() -> Vec<Server> {
    vec![
        Server {
            name: "redis",
            program: "redis-server",
            clients: &[1, 50],
            kind: Kind::Redis,
        },
        Server {
            name: "nginx",
            program: "nginx",
            clients: &[1, 16],
            kind: Kind::Nginx,
        },
    ]
}

/// Where a program is. Servers are often beside the programs of ordinary users.
pub fn find(program: &str) -> Result<PathBuf, Failure> {
    let path = env::var_os("PATH").unwrap_or_default();
    let administrators = ["/usr/local/sbin", "/usr/sbin"].map(PathBuf::from);
    let mut places = env::split_paths(&path).chain(administrators);
    let found = places.find_map(|place| {
        let file = place.join(program);
        file.is_file().then_some(file)
    });
    Ok(found.ok_or("not installed")?)
}

impl Server {
    /// Starts it on a port of its own, and waits until it answers.
    pub fn start(&self, mut command: Command) -> Result<Running, Failure> {
        // Free now; nobody else is likely to take it in the next second.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
            .local_addr()?
            .port();
        let folder = env::temp_dir().join(format!("punctual-bench-{}-{port}", process::id()));
        fs::create_dir_all(&folder)?;
        self.kind.configure(&mut command, &folder, port)?;
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut running = Running {
            child,
            folder,
            port,
            kind: self.kind,
        };
        running.wait_for_it()?;
        Ok(running)
    }
}

impl Kind {
    fn configure(self, command: &mut Command, folder: &Path, port: u16) -> io::Result<()> {
        match self {
            Self::Redis => {
                let port = port.to_string();
                command.args(["--port", &port, "--save", "", "--appendonly", "no"]);
                command.args(["--bind", "127.0.0.1", "--dir"]).arg(folder);
            }
            Self::Nginx => {
                fs::write(folder.join("index.html"), "here\n")?;
                let file = folder.join("nginx.conf");
                fs::write(&file, nginx(folder, port))?;
                command.arg("-c").arg(&file).arg("-e").arg("stderr");
            }
        }
        Ok(())
    }

    /// The client's words, and requests a second in what it prints.
    fn client(self, port: u16, clients: u32) -> Command {
        let (port, clients) = (port.to_string(), clients.to_string());
        match self {
            Self::Redis => {
                let mut command = Command::new("redis-benchmark");
                let count = if clients == "1" { "6000" } else { "60000" };
                command.args([
                    "-p", &port, "-c", &clients, "-n", count, "-t", "get", "--csv",
                ]);
                command
            }
            Self::Nginx => {
                let mut command = Command::new("ab");
                let count = if clients == "1" { "4000" } else { "30000" };
                let address = format!("http://127.0.0.1:{port}/index.html");
                command.args(["-q", "-k", "-c", &clients, "-n", count, &address]);
                command
            }
        }
    }

    fn rate(self, said: &str) -> Option<f64> {
        match self {
            // "GET","49751.24",…
            Self::Redis => {
                let line = said.lines().find(|line| line.starts_with("\"GET\""))?;
                line.split('"').nth(3)?.parse().ok()
            }
            // Requests per second:    10101.01 [#/sec] (mean)
            Self::Nginx => {
                let line = said.lines().find(|line| line.starts_with("Requests per"))?;
                line.split_whitespace().nth(3)?.parse().ok()
            }
        }
    }
}

/// A master and two workers, as a package installs it, with its files in one folder. It stays in front.
fn nginx(folder: &Path, port: u16) -> String {
    let folder = folder.display();
    format!(
        "daemon off; worker_processes 2; pid {folder}/pid; error_log stderr crit;
         events {{ worker_connections 128; }}
         http {{
           access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
           fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
           server {{ listen 127.0.0.1:{port}; root {folder}; keepalive_requests 1000000; }}
         }}"
    )
}

impl Running {
    fn wait_for_it(&mut self) -> Result<(), Failure> {
        let begin = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            if let Some(status) = self.child.try_wait()? {
                return Err(format!("ended at once: {status}").into());
            }
            if begin.elapsed() > PATIENCE {
                return Err("does not answer".into());
            }
            thread::sleep(BETWEEN_ATTEMPTS);
        }
        Ok(())
    }

    /// Requests a second.
    pub fn measure(&self, clients: u32) -> Result<f64, Failure> {
        let mut client = self.kind.client(self.port, clients);
        let name = client.get_program().display().to_string();
        let done = client
            .output()
            .map_err(|error| format!("{name}: {error}"))?;
        let said = String::from_utf8_lossy(&done.stdout);
        let rate = self.kind.rate(&said);
        Ok(rate.ok_or_else(|| format!("{name}: {}", first_line(&done.stderr)))?)
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
        let redis = "\"test\",\"rps\",\"avg_latency_ms\"\n\"GET\",\"49751.24\",\"0.270\"\n";
        assert_eq!(Kind::Redis.rate(redis), Some(49_751.24));
        let nginx = "Complete requests: 9\nRequests per second:    10101.01 [#/sec] (mean)\n";
        assert_eq!(Kind::Nginx.rate(nginx), Some(10_101.01));
        assert_eq!(Kind::Nginx.rate("Usage: ab"), None);
    }
}
