#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Plumbline authors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs a command beside a real database server.

    with-server.py ENGINE [ENGINE…] -- COMMAND [ARGUMENT…]
    with-server.py --tell SOCKET WORD [ARGUMENT…]

Each server listens on a free port of the loopback address, keeps its files in a temporary folder,
and is stopped when the command has ended, however it ended. The command finds them in its
environment, see the classes below. The second form is how a command has its server killed, stopped
and started again on the same port: kill, stop, start and restart, the last two with arguments for
the server. Exit status: the command's; 77 (skipped) where a server isn't
installed and PLUMBLINE_TEST_REQUIRE_SERVERS isn't set.
"""

import glob
import os
import pwd
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

PATIENCE = 60
SKIPPED = 77


class NotInstalled(Exception):
    pass


def find_program(name, *folders):
    """The newest of the programs of that name in the folders or on the path."""
    for pattern in folders:
        for path in sorted(glob.glob(os.path.join(pattern, name)), reverse=True):
            if os.access(path, os.X_OK):
                return path
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin:/usr/local/sbin")
    if path is None:
        raise NotInstalled(name)
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server in a temporary folder, run by an account that isn't root. Where the system lets it, a folder
    "small" in it is a disk of its own that is soon full: PLUMB_TEST_…_SMALL_DISK, which only the server sees."""

    accounts = ("nobody",)
    small_disk = "24m"

    def __init__(self):
        self.folder = None
        self.process = None
        self.account = None
        self.on_small_disk = []
        self.control = None

    def prepare_folder(self):
        # Unix sockets have short paths, so the folder stands right under /tmp.
        self.folder = tempfile.mkdtemp(prefix="plumb-", dir="/tmp")
        if os.geteuid() != 0:
            return
        for name in self.accounts:
            try:
                self.account = pwd.getpwnam(name)
                break
            except KeyError:
                continue
        os.chown(self.folder, self.account.pw_uid, self.account.pw_gid)

    def prepare_small_disk(self):
        """A mount that only the server's own processes see, made by what stands in front of its command."""
        path = os.path.join(self.folder, "small")
        os.mkdir(path, 0o700)
        if self.account is not None:
            os.chown(path, self.account.pw_uid, self.account.pw_gid)
        account = self.account if self.account is not None else pwd.getpwuid(os.geteuid())
        space = ["unshare", "--mount"]
        if os.geteuid() != 0:
            space += ["--user", "--map-current-user", "--keep-caps"]
        mount = (f"mount -t tmpfs -o size={self.small_disk},mode=700,uid={account.pw_uid},gid={account.pw_gid} "
                 f"tmpfs {path} && exec \"$@\"")
        prefix = space + ["sh", "-c", mount, "sh"]
        tried = subprocess.run(prefix + ["true"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if tried.returncode != 0:
            return {}
        self.on_small_disk = prefix
        return {f"PLUMB_TEST_{type(self).__name__.upper()}_SMALL_DISK": path}

    def make_certificates(self):
        """A certificate for "localhost" alone, from an authority that nobody knows: authority.pem, server.crt and
        server.key in the server's folder. Returns whether there are any."""
        if shutil.which("openssl") is None:
            return False
        options = {"stderr": subprocess.DEVNULL}
        self.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=Plumbline test authority",
                  "-days", "2", "-keyout", "authority.key", "-out", "authority.pem"], **options)
        self.run(["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", "server.key",
                  "-out", "server.csr"], **options)
        self.write("server.ext", "subjectAltName=DNS:localhost\n")
        self.run(["openssl", "x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key",
                  "-CAcreateserial", "-days", "2", "-extfile", "server.ext", "-out", "server.crt"], **options)
        # The test reads the authority, whoever it is run by.
        os.chmod(self.folder, 0o755)
        os.chmod(os.path.join(self.folder, "authority.pem"), 0o644)
        return True

    def prefix(self):
        """What stands in front of a command that must not run as root."""
        if self.account is None:
            return []
        return ["setpriv", f"--reuid={self.account.pw_uid}", f"--regid={self.account.pw_gid}", "--clear-groups"]

    def run(self, command, **options):
        return subprocess.run(self.prefix() + command, check=True, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, **options)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if self.account is not None:
            os.chown(path, self.account.pw_uid, self.account.pw_gid)
        os.chmod(path, 0o600)
        return path

    def log_tail(self):
        try:
            with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as log:
                return "".join(log.readlines()[-20:])
        except OSError:
            return ""

    def start_process(self, command):
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(self.on_small_disk + self.prefix() + command, cwd=self.folder,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def obey(self, word, *arguments):
        """What a command under test may have done to its server."""
        if word == "kill":
            self.process.kill()
            self.process.wait()
        if word in ("stop", "restart"):
            self.stop()
        if word in ("start", "restart"):
            self.launch(*arguments)

    def listen(self):
        """Waits for words of the command under test; gives the shell command that says them."""
        path = os.path.join(self.folder, "control")
        self.control = socket.socket(socket.AF_UNIX)
        self.control.bind(path)
        self.control.listen()
        threading.Thread(target=self.answer_words, daemon=True).start()
        return shlex.join([sys.executable, os.path.abspath(__file__), "--tell", path])

    def answer_words(self):
        while True:
            connection, _ = self.control.accept()
            with connection:
                words = connection.makefile().readline().split()
                try:
                    self.obey(*words)
                    connection.sendall(b"done")
                except (OSError, RuntimeError, subprocess.SubprocessError) as error:
                    connection.sendall(str(error).encode())

    def wait_until(self, ready):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.process is not None and self.process.poll() is not None:
                break
            if ready():
                return
            time.sleep(0.05)
        raise RuntimeError(f"The server did not start.\n{self.log_tail()}")

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def clean(self):
        if self.folder is None:
            return
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Server):
    """PLUMB_TEST_POSTGRES_PORT on 127.0.0.1 and PLUMB_TEST_POSTGRES_SOCKET, the socket's folder;
    superuser "postgres", password "adm1n p@ss/w%rd"; PLUMB_TEST_POSTGRES_CTL is a shell command that takes
    pg_ctl's words: start, stop, restart."""

    accounts = ("postgres", "nobody")
    password = "adm1n p@ss/w%rd"

    def start(self):
        programs = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")
        initdb = find_program("initdb", *programs)
        ctl = find_program("pg_ctl", *programs)
        self.prepare_folder()
        data = os.path.join(self.folder, "data")
        password = self.write("password", self.password + "\n")
        self.run([initdb, "-D", data, "-U", "postgres", "--auth=scram-sha-256", f"--pwfile={password}",
                  "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"])
        port = free_port()
        self.configure(data, port)
        small = self.prepare_small_disk()
        self.ctl = (self.on_small_disk + self.prefix() +
                    [ctl, "-D", data, "-w", "-s", "-l", os.path.join(self.folder, "log")])
        try:
            subprocess.run(self.ctl + ["start"], check=True, cwd=self.folder, stdout=subprocess.DEVNULL)
        except subprocess.CalledProcessError as error:
            raise RuntimeError(self.log_tail()) from error
        return small | {
            "PLUMB_TEST_POSTGRES_PORT": str(port),
            "PLUMB_TEST_POSTGRES_SOCKET": self.folder,
            "PLUMB_TEST_POSTGRES_PASSWORD": self.password,
            "PLUMB_TEST_POSTGRES_CTL": shlex.join(self.ctl),
            "PLUMB_TEST_POSTGRES_AUTHORITY": os.path.join(self.folder, "authority.pem"),
        }

    def configure(self, data, port):
        lines = [f"port = {port}", "listen_addresses = '127.0.0.1,::1'", f"unix_socket_directories = '{self.folder}'",
                 "fsync = off", "shared_buffers = 32MB", "max_connections = 40", "timezone = 'Asia/Seoul'",
                 "autovacuum = off"]
        if self.make_certificates():
            lines += ["ssl = on", f"ssl_cert_file = '{self.folder}/server.crt'", f"ssl_key_file = '{self.folder}/server.key'"]
        with open(os.path.join(data, "postgresql.conf"), "a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    def stop(self):
        if getattr(self, "ctl", None) is not None:
            subprocess.run(self.ctl + ["stop", "-m", "immediate"], cwd=self.folder, check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Mariadb(Server):
    """PLUMB_TEST_MARIADB_PORT on 127.0.0.1 and ::1, PLUMB_TEST_MARIADB_SOCKET; account "root", which may do
    everything, with the password in PLUMB_TEST_MARIADB_PASSWORD; PLUMB_TEST_MARIADB_CTL is a shell command that
    takes the words of "--tell"; PLUMB_TEST_MARIADB_CERTIFICATES, the folder with authority.pem, server.crt and
    server.key, which the server uses when it is started with --ssl-cert and --ssl-key."""

    accounts = ("mysql", "nobody")
    password = "adm1n p@ss/w%rd"

    def start(self):
        install = find_program("mariadb-install-db")
        server = find_program("mariadbd")
        client = find_program("mariadb")
        self.prepare_folder()
        small = self.prepare_small_disk()
        data = os.path.join(self.folder, "data")
        self.run([install, "--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal",
                  "--skip-test-db", f"--tmpdir={self.folder}"], stderr=subprocess.DEVNULL)
        self.make_certificates()
        port = free_port()
        path = os.path.join(self.folder, "socket")
        self.command = [server, "--no-defaults", f"--datadir={data}", f"--port={port}", "--bind-address=127.0.0.1,::1",
                        f"--socket={path}", f"--tmpdir={small.get('PLUMB_TEST_MARIADB_SMALL_DISK', self.folder)}",
                        "--skip-log-bin", "--default-time-zone=+09:00", "--innodb-flush-log-at-trx-commit=0",
                        "--innodb-buffer-pool-size=32M", "--skip-name-resolve"]
        self.connect = [client, "--no-defaults", f"--socket={path}", "-u", "root"]
        self.launch()
        # A machine may look up localhost as ::1 first.
        statements = [f"ALTER USER root@localhost IDENTIFIED BY '{self.password}'"]
        for host in ("127.0.0.1", "::1"):
            statements += [f"CREATE OR REPLACE USER root@'{host}' IDENTIFIED BY '{self.password}'",
                           f"GRANT ALL ON *.* TO root@'{host}' WITH GRANT OPTION"]
        subprocess.run(self.connect + ["-e", ";".join(statements)], check=True)
        return small | {
            "PLUMB_TEST_MARIADB_PORT": str(port),
            "PLUMB_TEST_MARIADB_SOCKET": path,
            "PLUMB_TEST_MARIADB_PASSWORD": self.password,
            "PLUMB_TEST_MARIADB_CTL": self.listen(),
            "PLUMB_TEST_MARIADB_CERTIFICATES": self.folder,
        }

    def launch(self, *arguments):
        self.start_process(self.command + list(arguments))
        self.wait_until(self.answers)

    def answers(self):
        """Whether it is there; that it wants a password says so too."""
        tried = subprocess.run(self.connect + ["-e", "SELECT 1"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               check=False)
        return tried.returncode == 0 or b"Access denied" in tried.stderr


class Clickhouse(Server):
    """PLUMB_TEST_CLICKHOUSE_PORT (HTTP), PLUMB_TEST_CLICKHOUSE_HTTPS_PORT, whose certificate comes from
    PLUMB_TEST_CLICKHOUSE_AUTHORITY, and PLUMB_TEST_CLICKHOUSE_NATIVE_PORT on 127.0.0.1; accounts "admin",
    "reader" (profile with readonly 1), "careful" (readonly 2), "spiller" (sorts on its small disk), "printable" (another password), all with the password in
    PLUMB_TEST_CLICKHOUSE_PASSWORD; PLUMB_TEST_CLICKHOUSE_CTL is a shell command that takes the words of
    "--tell"."""

    accounts = ("clickhouse", "nobody")
    password = "adm1n p@ss/w%rd"

    config = """<yandex>
<logger><level>warning</level><log>{folder}/server-log</log><errorlog>{folder}/errors</errorlog></logger>
<http_port>{http}</http_port>{https}<tcp_port>{native}</tcp_port><interserver_http_port>{inter}</interserver_http_port>
<listen_host>127.0.0.1</listen_host><listen_host>::1</listen_host><interserver_http_host>127.0.0.1</interserver_http_host>
<path>{folder}/data/</path><tmp_path>{tmp}/</tmp_path><user_files_path>{folder}/files/</user_files_path>
<users_config>{folder}/users.xml</users_config><default_profile>default</default_profile>
<default_database>default</default_database><mark_cache_size>67108864</mark_cache_size>
<timezone>Asia/Seoul</timezone><mlock_executable>false</mlock_executable>
<remote_servers><loop><shard><replica><host>127.0.0.1</host><port>{native}</port><user>admin</user>
<password>{password}</password></replica></shard></loop></remote_servers>
</yandex>
"""
    secure = """<https_port>{port}</https_port><openSSL><server><certificateFile>{folder}/server.crt</certificateFile>
<privateKeyFile>{folder}/server.key</privateKeyFile><verificationMode>none</verificationMode>
<loadDefaultCAFile>false</loadDefaultCAFile></server></openSSL>"""
    users = """<yandex>
<profiles><default/><spills><max_bytes_before_external_sort>1000000</max_bytes_before_external_sort></spills><only_reads><readonly>1</readonly></only_reads><sets><readonly>2</readonly></sets></profiles>
<users>{users}</users>
<quotas><default><interval><duration>3600</duration><queries>0</queries><errors>0</errors><result_rows>0</result_rows>
<read_rows>0</read_rows><execution_time>0</execution_time></interval></default></quotas>
</yandex>
"""
    # Every printable character of ASCII, and others.
    printable = "".join(map(chr, range(32, 127))) + "%41 비밀 пароль"
    user = """<{name}><password>{password}</password><networks><ip>127.0.0.1</ip><ip>::1</ip></networks>
<profile>{profile}</profile><quota>default</quota></{name}>"""

    def start(self):
        server = find_program("clickhouse-server")
        self.prepare_folder()
        http, https, native, inter = free_port(), free_port(), free_port(), free_port()
        secure = self.secure.format(port=https, folder=self.folder) if self.make_certificates() else ""
        for name in ("data", "tmp", "files"):
            path = os.path.join(self.folder, name)
            os.mkdir(path)
            if self.account is not None:
                os.chown(path, self.account.pw_uid, self.account.pw_gid)
        small = self.prepare_small_disk()
        config = self.write("config.xml", self.config.format(
            folder=self.folder, http=http, https=secure, native=native, inter=inter, password=self.password,
            tmp=small.get("PLUMB_TEST_CLICKHOUSE_SMALL_DISK", f"{self.folder}/tmp")))
        accounts = {"admin": "default", "default": "default", "reader": "only_reads", "careful": "sets",
                    "spiller": "spills"}
        users = "".join(self.user.format(name=name, profile=profile, password=self.password)
                        for name, profile in accounts.items())
        users += self.user.format(name="printable", profile="default", password="<![CDATA[" + self.printable + "]]>")
        self.write("users.xml", self.users.format(users=users))
        self.command = [server, f"--config-file={config}"]
        self.http = http
        self.launch()
        return small | {
            "PLUMB_TEST_CLICKHOUSE_PORT": str(http),
            "PLUMB_TEST_CLICKHOUSE_HTTPS_PORT": str(https),
            "PLUMB_TEST_CLICKHOUSE_AUTHORITY": os.path.join(self.folder, "authority.pem"),
            "PLUMB_TEST_CLICKHOUSE_NATIVE_PORT": str(native),
            "PLUMB_TEST_CLICKHOUSE_PASSWORD": self.password,
            "PLUMB_TEST_CLICKHOUSE_CTL": self.listen(),
        }

    def launch(self, *arguments):
        self.start_process(self.command + list(arguments))
        self.wait_until(lambda: self.answers(self.http))

    @staticmethod
    def answers(port):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ping", timeout=2) as reply:
                return reply.read().startswith(b"Ok")
        except OSError:
            return False


ENGINES = {"clickhouse": Clickhouse, "mariadb": Mariadb, "postgres": Postgres}


class Stopped(Exception):
    pass


def stop_on_signal(number, frame):
    raise Stopped(number)


def run_beside(servers, command):
    environment = dict(os.environ)
    child = None
    try:
        for server in servers:
            environment.update(server.start())
        child = subprocess.Popen(command, env=environment)
        return child.wait()
    except NotInstalled as missing:
        print(f"1..0 # SKIP {missing} is not installed")
        return 1 if os.environ.get("PLUMBLINE_TEST_REQUIRE_SERVERS") else SKIPPED
    except Stopped as stopped:
        if child is not None:
            child.terminate()
            child.wait()
        return 128 + stopped.args[0]
    finally:
        # Whatever comes now must not keep a server running.
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        for server in servers:
            server.clean()


def tell(path, words):
    with socket.socket(socket.AF_UNIX) as control:
        control.connect(path)
        control.sendall(" ".join(words).encode() + b"\n")
        answer = control.makefile().read()
    if answer != "done":
        print(answer, file=sys.stderr)
    return 0 if answer == "done" else 1


def main(arguments):
    if len(arguments) > 2 and arguments[0] == "--tell":
        return tell(arguments[1], arguments[2:])
    if "--" not in arguments or arguments.index("--") == 0:
        print(__doc__, file=sys.stderr)
        return 2
    split = arguments.index("--")
    unknown = [name for name in arguments[:split] if name not in ENGINES]
    if unknown or split + 1 == len(arguments):
        print(f"Unknown: {', '.join(unknown)}. Known: {', '.join(ENGINES)}.", file=sys.stderr)
        return 2
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop_on_signal)
    return run_beside([ENGINES[name]() for name in arguments[:split]], arguments[split + 1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
