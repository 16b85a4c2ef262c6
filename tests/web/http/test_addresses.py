"""Where the site is reached, under which names it answers, and which address it gives to others."""

import socket
from typing import Any

import ifaddr
import pytest

from bitduel.core.errors import BitduelError
from bitduel.web.app import create_app
from bitduel.web.http import addresses
from bitduel.web.http.addresses import Addresses, SiteName, as_ip, host_of, machine_addresses, machine_names, parse_name
from web.fixtures import StoreMatch
from web.sites import LocalApp


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A laptop named Lab3 with a network, a bridge of containers and a second network."""
    monkeypatch.setattr(
        addresses, "machine_addresses", lambda: [as_ip("192.168.7.20"), as_ip("10.0.0.5"), as_ip("fd00::5")]
    )
    monkeypatch.setattr(socket, "gethostname", lambda: "Lab3")


def reached_at(app: LocalApp, found: Addresses) -> None:
    app.site.addresses = found
    app.asgi = create_app(app.store, site=app.site)


@pytest.mark.parametrize(
    ("text", "name", "url"),
    [
        ("school.lan", SiteName("school.lan"), "http://school.lan:8000"),
        ("School.LAN.", SiteName("school.lan"), "http://school.lan:8000"),
        ("school.lan:8080", SiteName("school.lan", 8080), "http://school.lan:8080"),
        ("school.lan:80", SiteName("school.lan", 80), "http://school.lan"),
        ("HTTPS://games.example.org", SiteName("games.example.org", None, "https"), "https://games.example.org"),
        (
            "https://games.example.org:8443/",
            SiteName("games.example.org", 8443, "https"),
            "https://games.example.org:8443",
        ),
        ("http://games.example.org/", SiteName("games.example.org", None, "http"), "http://games.example.org"),
        ("192.168.7.20", SiteName("192.168.7.20"), "http://192.168.7.20:8000"),
        ("fd00::5", SiteName("fd00::5"), "http://[fd00::5]:8000"),
        ("[fd00::5]:9000", SiteName("fd00::5", 9000), "http://[fd00::5]:9000"),
        ("schüler.lan", SiteName("xn--schler-5ya.lan"), "http://xn--schler-5ya.lan:8000"),
        ("my_pc", SiteName("my_pc"), "http://my_pc:8000"),
    ],
)
def test_a_name_is_a_host_a_host_with_a_port_or_an_address(text: str, name: SiteName, url: str) -> None:
    assert parse_name(text) == name
    assert parse_name(text).url(8000) == url


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "school.lan:",
        "school.lan:0",
        "school.lan:99999",
        "school.lan:http",
        "a b",
        "school.lan/x",
        "ftp://school.lan",
        "user@school.lan",
        "http://",
        "1.2.3",
        "300.1.1.1",
        "-",
        "-x",
        "x-.lan",
        ".lan",
        "a..b",
        "[::1",
        "school.lan?x",
        "x" * 64,
    ],
)
def test_anything_else_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BitduelError, match=r"--name takes a host such as school\.lan"):
        parse_name(text)


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("School.lan:8000", "school.lan"),
        ("school.lan.", "school.lan"),
        ("[::1]:8000", "::1"),
        ("localhost:x", "localhost:x"),
        ("[school.lan]", "[school.lan]"),
        ("127.0.0.1:999999", "127.0.0.1:999999"),
    ],
)
def test_the_host_of_a_request_is_without_its_port(header: str, host: str) -> None:
    assert host_of(header) == host


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8000", True),
        ("192.168.7.20:8000", True),
        ("203.0.113.9", True),  # a router's own address that leads here
        ("[fd00::5]:8000", True),
        ("lab3:8000", True),
        ("LAB3.local:8000", True),
        ("school.lan:8000", True),
        ("evil.example", False),
        ("lab3.evil.example", False),
        ("192.168.7.20.evil.example", False),
        ("192.168.7.20%eth0", False),
        ("", False),
    ],
)
def test_on_all_interfaces_the_site_goes_by_every_address_and_name_of_the_machine(host: str, known: bool) -> None:
    assert Addresses("0.0.0.0", 8000, ["school.lan:8000"]).accepts(host) is known


@pytest.mark.parametrize("host", ["192.168.7.20", "lab3", "school.lan", "0.0.0.0"])
def test_for_itself_alone_the_site_goes_by_local_names_only(host: str) -> None:
    assert not Addresses().accepts(host)
    assert Addresses(names=["*"]).accepts(host)


@pytest.mark.usefixtures("machine")
def test_the_recommended_address_comes_first() -> None:
    everywhere = [f"http://{host}:8000" for host in ("192.168.7.20", "10.0.0.5", "lab3.local", "lab3")]
    assert Addresses("0.0.0.0").urls() == everywhere
    assert Addresses("0.0.0.0", 8000, ["school.lan"]).urls() == ["http://school.lan:8000", *everywhere]
    assert "http://[fd00::5]:8000" in Addresses("::").urls()
    assert Addresses("192.168.7.20").urls() == ["http://192.168.7.20:8000"]
    assert Addresses().urls() == []
    assert Addresses(names=["games.example.org"]).urls() == []  # behind a proxy: on which port, nobody has said
    assert Addresses(names=["https://games.example.org"]).urls() == ["https://games.example.org"]


def test_the_way_to_the_world_goes_before_other_networks_and_containers_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def adapter(name: str, *ips: Any) -> ifaddr.Adapter:
        return ifaddr.Adapter(name, name, [ifaddr.IP(ip, 24, name) for ip in ips])

    adapters = [
        adapter("lo", "127.0.0.1", ("::1", 0, 0)),
        adapter("docker0", "172.17.0.1"),
        adapter("eth1", "10.0.0.5"),
        adapter("wlan0", "192.168.7.20", ("fe80::1", 0, 3), ("fd00::5", 0, 0)),
        adapter("eth2", "169.254.3.3"),
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(addresses, "_route_address", lambda family: as_ip("192.168.7.20"))
    assert [str(ip) for ip in machine_addresses()] == ["192.168.7.20", "10.0.0.5", "fd00::5"]


@pytest.mark.parametrize(
    ("own", "names"),
    [("Lab3", ["lab3.local", "lab3"]), ("mac.local", ["mac.local"]), ("localhost", []), ("bad name", []), ("", [])],
)
def test_the_machine_is_known_by_its_own_name(monkeypatch: pytest.MonkeyPatch, own: str, names: list[str]) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: own)
    assert machine_names() == names


@pytest.mark.usefixtures("machine")
def test_links_for_others_say_a_better_address_than_this_machine_where_there_is_one(
    app: LocalApp, store_match: StoreMatch
) -> None:
    reached_at(app, Addresses("0.0.0.0"))
    seated = store_match(seats=1)
    who = app.browser(seated.tokens[0])
    assert "http://192.168.7.20:8000/invite/" in who.get(f"/matches/{seated.id}").text
    assert "http://10.0.0.5:8000/invite/" in who.get(f"/matches/{seated.id}", headers={"host": "10.0.0.5:8000"}).text
    reached_at(app, Addresses())
    page = who.get(f"/matches/{seated.id}").text
    assert "http://localhost/invite/" in page
    assert "This link works only on this computer." in page


@pytest.mark.usefixtures("machine")
def test_only_whoever_is_at_the_machine_sees_all_its_addresses(app: LocalApp) -> None:
    reached_at(app, Addresses("0.0.0.0"))
    assert "http://10.0.0.5:8000/" in app.browser().get("/connect").text
    for where, host in (
        ("192.168.7.30", "192.168.7.20:8000"),
        ("192.168.7.30", "localhost"),
        ("127.0.0.1", "192.168.7.20"),
    ):
        page = app.browser(where=where).get("/connect", headers={"host": host}).text
        assert "http://192.168.7.20" in page
        assert "10.0.0.5" not in page
    reached_at(app, Addresses())
    assert "--host 0.0.0.0" in app.browser().get("/connect").text
