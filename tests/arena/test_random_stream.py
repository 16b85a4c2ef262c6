"""Random numbers that are quick to begin are random numbers like any others."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bitduel.arena.schedule import RandomSource, RandomStream


def test_a_stream_is_the_same_every_time_and_others_are_different() -> None:
    def numbers(source: RandomSource, stream: int) -> list[float]:
        rng = RandomStream(source, stream)
        return [rng.random() for _ in range(40)]

    one = numbers(RandomSource(1, "a"), 1)
    assert one == numbers(RandomSource(1, "a"), 1)
    assert len(set(one)) == 40
    others = [
        numbers(RandomSource(1, "a"), 2),
        numbers(RandomSource(1, "b"), 1),
        numbers(RandomSource(2, "a"), 1),
        numbers(RandomSource(1), 1),
    ]
    assert all(not set(one) & set(other) for other in others)


def test_a_stream_can_be_begun_again() -> None:
    rng = RandomStream(RandomSource("a"), 1)
    first = [rng.random() for _ in range(11)]
    rng.begin(RandomSource("a"), 1)
    assert [rng.random() for _ in range(11)] == first


def test_numbers_are_even() -> None:
    rng = RandomStream(RandomSource("even"), 1)
    assert abs(sum(rng.random() for _ in range(20_000)) / 20_000 - 0.5) < 0.01
    counts = Counter(rng.choice("abc") for _ in range(30_000))
    assert all(abs(count - 10_000) < 400 for count in counts.values())
    assert {rng.randrange(5) for _ in range(200)} == set(range(5))


@given(st.integers(0, 300))
def test_so_many_bits_are_as_many_as_asked_for(bits: int) -> None:
    rng = RandomStream(RandomSource(bits), 1)
    numbers = [rng.getrandbits(bits) for _ in range(40)]
    assert all(0 <= number < 1 << bits for number in numbers)
    assert bits == 0 or max(numbers).bit_length() > bits - 12
