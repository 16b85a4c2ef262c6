"""The worked example behind a real nginx: TLS, HTTP/2, streams, and the visitor's own address."""

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from bitduel.web.http.quotas import PEOPLE
from web.sites import PATIENT, Events, bearer, free_port, inheriting

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
EXAMPLE = Path(__file__).parents[2] / "deploy" / "nginx.conf"
NAME = "games.example.org"
KINDS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""What nginx keeps files for; the places it was built with are root's."""
PAUSE = 0.05
"""Seconds between two looks at something that takes a while."""
pytestmark = pytest.mark.skipif(
    not NGINX or not shutil.which("openssl"), reason="nginx and openssl are not installed here."
)


class Behind:
    """A site behind nginx."""

    def __init__(self, folder: Path, port: int, plain: int, certificate: Path) -> None:
        self.folder = folder
        self.port = port
        self.plain = plain
        self.url = f"https://{NAME}:{port}"
        self.trust = ssl.create_default_context(cafile=str(certificate))

    def client(self, token: str | None = None, address: str = "127.0.0.1") -> httpx.Client:
        """A visitor who finds the name on this machine."""
        route = _Here(local_address=address, verify=self.trust)
        headers = {"host": f"{NAME}:{self.port}", **(bearer(token) if token else {})}
        return httpx.Client(base_url=self.url, transport=route, headers=headers, timeout=PATIENT)


class _Here(httpx.HTTPTransport):
    """Connects to this machine, whatever the name, and still expects that name in the certificate."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions = {**request.extensions, "sni_hostname": NAME}
        request.url = request.url.copy_with(host="127.0.0.1")
        return super().handle_request(request)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    folder = tmp_path_factory.mktemp("nginx")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    names = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names]
    subprocess.run([*make, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    place = socket.create_server(("127.0.0.1", 0))  # listens already, so that no other test can take the port
    inside, plain, outside = place.getsockname()[1], free_port(), free_port()
    text = EXAMPLE.read_text()
    for old, new in (
        ("127.0.0.1:8000", f"127.0.0.1:{inside}"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 80 default_server;", f"listen 127.0.0.1:{plain} default_server;"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{outside} ssl http2;"),
        ("listen 443 ssl default_server;", f"listen 127.0.0.1:{outside} ssl default_server;"),
        ("/etc/ssl/certs/games.example.org.pem", str(certificate)),
        ("/etc/ssl/private/games.example.org.key", str(key)),
        ("http {", f"http {{ {' '.join(f'{kind}_temp_path {folder}/{kind};' for kind in KINDS)}"),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "nginx.conf").write_text(f"daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;\n{text}")
    server = inheriting(place, f"sqlite:///{folder}/x.db", "--proxy", "127.0.0.1", "--name", NAME)
    proxy = subprocess.Popen([str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"])
    found = Behind(folder, outside, plain, certificate)
    try:
        _wait(found)
        yield found
    finally:
        for process in (proxy, server):
            process.terminate()
            process.wait()
        place.close()


def _wait(site: Behind) -> None:
    """Until the site answers."""
    deadline = time.monotonic() + PATIENT
    while time.monotonic() < deadline:
        try:
            with site.client() as client:
                if client.get("/").status_code == 200:
                    return
        except httpx.TransportError:
            pass
        time.sleep(PAUSE)
    raise AssertionError((site.folder / "error.log").read_text())


def test_cookies_are_secure_and_links_lead_to_https(site: Behind) -> None:
    with site.client() as client:
        made = client.post("/games/64/play", data={"opponent": "friend"}, headers={"origin": site.url})
        assert made.status_code == 303
        cookie = made.headers["set-cookie"]
        assert "Secure" in cookie
        assert "HttpOnly" in cookie
        page = client.get(made.headers["location"], headers={"cookie": cookie.partition(";")[0]}).text
        assert re.search(rf"{site.url}/invite/\w+/\w+", page)
        assert "http://" not in re.sub(r'xmlns="[^"]*"', "", page)
        assert client.get("/").headers["strict-transport-security"]
        assert client.get("/healthz").status_code == 404


def test_limits_count_the_visitor_and_not_the_proxy(site: Behind) -> None:
    with site.client(address="127.0.0.3") as rude, site.client(address="127.0.0.4") as other:
        most = 3 * PEOPLE
        found = [rude.get("/invite/zzzzzzz/wrong").status_code for _ in range(most + 1)]
        assert found == [404] * most + [429]
        forged = rude.get("/invite/zzzzzzz/wrong", headers={"x-forwarded-for": "9.9.9.9"})
        assert forged.status_code == 429
        assert other.get("/invite/zzzzzzz/wrong").status_code == 404


def test_events_come_through_as_they_happen(site: Behind) -> None:
    with site.client() as one, site.client() as two:
        made = one.post("/api/v1/matches", json={"game": "64", "first": "1"}).json()
        path = f"/api/v1/matches/{made['match']['id']}"
        joined = two.post(f"{path}/seat", json={"invitation": made["invitation"]}).json()
        ada, ben = site.client(made["token"]), site.client(joined["token"])
        with ada, ben, Events(ben, f"{path}/events") as events:
            events.next()
            for ply, mover in enumerate((ada, ben, ada)):
                mover.post(f"{path}/moves", json={"ply": ply, "move": "add"}).raise_for_status()
                assert events.until(ply + 1)


def test_http_2_files_for_good_and_small_pages(site: Behind) -> None:
    curl = shutil.which("curl")
    if curl is None:
        pytest.skip("curl is not installed here.")
    ask = [curl, "-sS", "--http2", "--cacert", str(site.folder / "certificate.pem"), "-H", "accept-encoding: gzip"]
    ask += ["--resolve", f"{NAME}:{site.port}:127.0.0.1", "-o", "/dev/null", "-D", "-"]
    home = subprocess.run([*ask, f"{site.url}/"], check=True, capture_output=True, text=True).stdout
    assert home.startswith("HTTP/2 200")
    assert "content-encoding: gzip" in home
    with site.client() as client:
        (style,) = re.findall(r'"(/static/style[^"]+)"', client.get("/").text)
    told = subprocess.run([*ask, f"{site.url}{style}"], check=True, capture_output=True, text=True).stdout
    assert "immutable" in told


def plainly(site: Behind, request: str) -> bytes:
    """All that is answered to a request without TLS."""
    with socket.create_connection(("127.0.0.1", site.plain), PATIENT) as connection:
        connection.sendall(request.encode())
        answer = b""
        while more := connection.recv(65536):
            answer += more
    return answer


def test_plain_http_leads_to_the_one_name_and_to_no_other(site: Behind) -> None:
    ours = plainly(site, f"GET /games/64?x=1 HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n")
    assert ours.startswith(b"HTTP/1.1 301")
    assert f"Location: https://{NAME}/games/64?x=1\r\n".encode() in ours


@pytest.mark.parametrize(
    "request_text",
    [
        "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: {NAME}.evil.example\r\n\r\n",
        f"GET http://evil.example/ HTTP/1.1\r\nHost: {NAME}\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
    ],
    ids=repr,
)
def test_another_name_is_not_answered_at_all(site: Behind, request_text: str) -> None:
    assert plainly(site, request_text) == b""


@pytest.mark.parametrize("name", ["evil.example", None])
def test_by_another_name_there_is_no_handshake(site: Behind, name: str | None) -> None:
    strangers = ssl.create_default_context()
    strangers.check_hostname, strangers.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", site.port), PATIENT) as connection, pytest.raises(ssl.SSLError):
        strangers.wrap_socket(connection, server_hostname=name)


def test_a_host_that_is_not_the_name_of_the_handshake_leads_nowhere(site: Behind) -> None:
    with site.client() as client, pytest.raises(httpx.RemoteProtocolError):
        client.get("/", headers={"host": "evil.example"})


def test_requests_that_are_refused_for_coming_too_often_fill_no_log(site: Behind) -> None:
    text, log, port = (site.folder / "nginx.conf").read_text(), site.folder / "strict.log", free_port()
    for old, new in (
        (r"rate=\d+r/s", "rate=1r/s"),  # which is soon too often
        (r"burst=\d+ nodelay", "burst=2 nodelay"),
        (rf"127\.0\.0\.1:{site.port}\b", f"127.0.0.1:{port}"),
        (rf"127\.0\.0\.1:{site.plain}\b", f"127.0.0.1:{free_port()}"),
        (r"nginx\.pid", "strict.pid"),
        (r"error_log \S+;", f"error_log {log};"),
    ):
        text, count = re.subn(old, new, text)
        assert count, old
    strict = site.folder / "strict.conf"
    strict.write_text(text)
    proxy = subprocess.Popen([str(NGINX), "-p", str(site.folder), "-c", str(strict), "-e", "stderr"])
    try:
        behind = Behind(site.folder, port, 0, site.folder / "certificate.pem")
        _wait(behind)
        with behind.client() as rude:
            found = [rude.get("/static/nothing").status_code for _ in range(100)]
    finally:
        proxy.terminate()
        proxy.wait()
    assert found.count(429) > 50
    assert "limiting" not in log.read_text()
