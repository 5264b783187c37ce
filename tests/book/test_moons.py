"""make_moons: the points of scikit-learn's function of this name, and its errors."""

from __future__ import annotations

import numpy as np
import pytest

from autograd_lib.book.moons import make_moons

SIZES = [2, 3, 10, 101]
# Sines and cosines of at most 1, each with a few roundings.
A_FEW_ULP = 1e-15


@pytest.mark.parametrize("n", SIZES)
def test_points_without_noise_are_on_two_half_circles(n: int) -> None:
    points, classes = make_moons(n, shuffle=False)
    upper, lower = points[classes == 0], points[classes == 1]
    radii = [np.hypot(*upper.T), np.hypot(*(lower - (1.0, 0.5)).T)]
    assert np.concatenate(radii) == pytest.approx(1.0, abs=A_FEW_ULP)
    assert (upper[:, 1] >= 0.0).all()
    assert (lower[:, 1] <= 0.5).all()


@pytest.mark.parametrize("n", SIZES)
def test_points_come_in_equal_steps_circle_after_circle(n: int) -> None:
    points, classes = make_moons(n, shuffle=False)
    sizes = n // 2, n - n // 2
    assert classes.tolist() == [0] * sizes[0] + [1] * sizes[1]
    angles = [np.pi * i / max(1, size - 1) for size in sizes for i in range(size)]
    expected = [
        (1 - np.cos(t), 0.5 - np.sin(t)) if is_lower else (np.cos(t), np.sin(t))
        for t, is_lower in zip(angles, classes, strict=True)
    ]
    assert points.shape == (n, 2)
    assert points == pytest.approx(np.array(expected), abs=A_FEW_ULP)


def test_by_default_there_are_a_hundred_points_shuffled_and_without_noise() -> None:
    points, classes = make_moons()
    assert (points.shape, classes.shape) == ((100, 2), (100,))
    assert classes.tolist() != sorted(classes)
    ordered = make_moons(100, shuffle=False)
    assert labelled(points, classes) == labelled(*ordered)


def labelled(points: np.ndarray, classes: np.ndarray) -> list[tuple[float, ...]]:
    """Return the points in one order, whatever order they were in."""
    return sorted((*point, label) for point, label in zip(points, classes, strict=True))


def test_a_shuffle_moves_each_point_with_its_class() -> None:
    mixed = make_moons(30, noise=0.2, random_state=4)
    ordered = make_moons(30, noise=0.2, random_state=4, shuffle=False)
    assert mixed[1].tolist() != ordered[1].tolist()
    assert labelled(*mixed) == labelled(*ordered)


def test_a_seed_gives_the_same_points_each_time_and_another_seed_others() -> None:
    first, again, other = (
        make_moons(20, noise=0.1, random_state=seed) for seed in (0, 0, 1)
    )
    for one, two in zip(first, again, strict=True):
        assert (one == two).all()
    assert labelled(*first) != labelled(*other)
    unseeded = [make_moons(20, noise=0.1)[0] for _ in range(2)]
    assert (unseeded[0] != unseeded[1]).any()


@pytest.mark.parametrize("noise", [0.05, 0.3])
def test_noise_has_the_given_standard_deviation(noise: float) -> None:
    n = 10_000
    noisy, classes = make_moons(n, shuffle=False, noise=noise, random_state=3)
    clean, expected = make_moons(n, shuffle=False)
    assert (classes == expected).all()
    errors = noisy - clean
    # Of n numbers the mean strays by 1/√n of the deviation, the deviation itself by
    # 1/√(2n), and a correlation by 1/√n: five times that is 5 %.
    assert errors.mean(axis=0) == pytest.approx(0.0, abs=0.05 * noise)
    assert errors.std(axis=0) == pytest.approx(noise, rel=0.05)
    assert abs(np.corrcoef(errors.T)[0, 1]) < 0.05


def test_no_noise_is_the_same_as_noise_of_none() -> None:
    assert (
        make_moons(9, noise=0.0, shuffle=False)[0] == make_moons(9, shuffle=False)[0]
    ).all()


@pytest.mark.parametrize("n", [1, 0, -3])
def test_fewer_than_two_points_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match=f"n_samples must be at least 2, got {n}"):
        make_moons(n)


def test_negative_noise_is_refused() -> None:
    with pytest.raises(ValueError, match=r"make_moons: noise must not be .*got -0\.1"):
        make_moons(noise=-0.1)
