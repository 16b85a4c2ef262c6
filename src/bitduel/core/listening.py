"""A place to be spoken to, for the ways in that wait for others."""

import socket

from bitduel.core.errors import BitduelError


class BusyError(BitduelError):
    """An address that cannot be listened on."""

    status = 1


def listening(who: str, host: str, port: int) -> socket.socket:
    """A socket at the address, had before anybody is told of it; BusyError where it is taken or not ours."""
    try:
        family, kind, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(place)
            found.set_inheritable(True)
        except BaseException:
            found.close()
            raise
    except OSError as error:
        raise BusyError(f"{who} cannot listen on {host} port {port}: {error.strerror}.") from None
    return found
