"""The page and the API with TLS, at an address of their own."""

import json
import socket
import ssl
import subprocess
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from house import PATIENCE, House, free_port


class SecureHouse(House):
    """A bridge with a certificate for `localhost`, signed by itself."""

    last_address = "https://"

    def __init__(self):
        super().__init__()
        self.port = free_port()
        self.secure_url = f"https://localhost:{self.port}"
        self.certificate, self.key = self.folder / "certificate.pem", self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
            + ["-keyout", self.key, "-out", self.certificate, "-subj", "/CN=localhost"]
            + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
            check=True,
            capture_output=True,
        )
        settings = self.folder / "skerry.yaml"
        tls = f'tls: {{ address: "127.0.0.1:{self.port}", certificate: {self.certificate}, key: {self.key} }}'
        settings.write_text(settings.read_text().replace("edit: true", f"edit: true, {tls}"))


@pytest.fixture
def house():
    with SecureHouse() as house:
        yield house


def test_the_page_follows_a_wash_over_tls(house, visit):
    page = visit(house.secure_url, ignore_https_errors=True)
    house.wash()
    expect(page.get_by_role("heading", name="laundry").first).to_be_visible()
    expect(page.get_by_text("Running").first).to_be_visible()
    house.washed()
    expect(page.get_by_text("Laundry is done").first).to_be_visible()


def test_a_certificate_is_checked_a_cookie_stays_with_tls_and_a_phone_is_told_the_address(house):
    trust = ssl.create_default_context(cafile=house.certificate)
    token = (house.folder / "admin").read_text().strip()

    def post(path, body):
        request = urllib.request.Request(
            house.secure_url + path,
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
        )
        return urllib.request.urlopen(request, context=trust)

    with post("/v1/session", {"token": token}) as answer:
        assert "; Secure" in answer.headers["Set-Cookie"]
    request = urllib.request.Request(
        house.url + "/v1/pairings", b"{}", {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(request) as answer:
        assert json.load(answer)["url"] == f"https://127.0.0.1:{house.port}"
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(house.secure_url + "/healthz")


def test_who_does_not_speak_tls_or_says_nothing_hinders_nobody(house):
    with socket.create_connection(("127.0.0.1", house.port)) as silent, socket.create_connection(
        ("127.0.0.1", house.port)
    ) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        plain.settimeout(PATIENCE)
        answer = plain.recv(4096)
        assert not answer.startswith(b"HTTP/")
        trust = ssl.create_default_context(cafile=house.certificate)
        with urllib.request.urlopen(house.secure_url + "/healthz", context=trust) as answer:
            assert answer.read() == b"ok\n"
        # A connection without a handshake is closed after ten seconds.
        silent.settimeout(PATIENCE)
        assert silent.recv(1) == b""


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_only_tls_1_2_and_1_3_are_spoken(house):
    trust = ssl.create_default_context(cafile=house.certificate)
    trust.set_ciphers("ALL:@SECLEVEL=0")
    for version in (ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        trust.minimum_version = ssl.TLSVersion.TLSv1
        trust.maximum_version = version
        with socket.create_connection(("localhost", house.port)) as connection:
            if version == ssl.TLSVersion.TLSv1_1:
                with pytest.raises(ssl.SSLError):
                    trust.wrap_socket(connection, server_hostname="localhost")
            else:
                with trust.wrap_socket(connection, server_hostname="localhost") as secure:
                    assert secure.version() == version.name.replace("_", ".")
