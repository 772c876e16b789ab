"""The place of these tests has no other network: a client whose base URL is not replaced fails."""

import socket

import paystackapi.base
import pytest
import requests
from momo_api import Config, MomoApi


def test_no_address_and_no_name_is_reached():
    with pytest.raises(OSError):
        socket.create_connection(("192.0.2.1", 443), timeout=2)
    with pytest.raises(OSError):
        socket.getaddrinfo("api.paystack.co", 443)


def test_a_client_with_its_own_base_url_fails():
    with pytest.raises(requests.ConnectionError):
        paystackapi.base.PayStackRequests(headers={}).get("balance")
    with pytest.raises(Exception, match="resolution|resolve|not known|unreachable"):
        MomoApi.collection(Config.collection("key", "user", "secret")).get_balance()
