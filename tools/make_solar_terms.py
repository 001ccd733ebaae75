"""Makes `liuyao/solar_terms.json`: the instants of the twelve 节 that open the months, 1899 to 2102.

Run `make solar-terms`; the same inputs give the same bytes. Needs the `test` dependency group.

A 节 is the instant at which the Sun's apparent geocentric longitude, on the true ecliptic and from the true equinox of
date, reaches 315° (立春) and every 30° from there. All of it is IAU SOFA, through pyerfa:

* Earth and Sun: `epv00`, light time, aberration `ab`;
* orientation: bias, precession and nutation IAU 2006/2000A, `pn06a`;
* time: TT = UTC + 32.184 s + the leap seconds of `leap_seconds` from 1972, the latest kept for all later years, whose
  leap seconds are unknown; before 1972 UT, with ΔT = TT − UT by the polynomials that Espenak & Meeus
  (NASA/TP-2006-214141) fitted to Morrison & Stephenson, J. Hist. Astron. 35 (2004) 327.

Error: `epv00` is within 11.2 km of JPL DE405, 0.016″ of longitude. The Sun moves 1″ in 24 s, so every instant is within
0.4 s in TT, and rounding to the second adds 0.5 s. Before 1972 the fit of ΔT adds up to 1.5 s. After the last announced
leap second UTC itself is a forecast: by 2100 it may be one to two minutes away.
"""

import json
import warnings
from pathlib import Path
from typing import Final

import erfa
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TARGET: Final = Path(__file__).parent.parent / "layers/core/liuyao/solar_terms.json"
FIRST_YEAR: Final = 1899
LAST_YEAR: Final = 2101

J2000: Final = 2451545.0
UNIX_EPOCH: Final = 2440587.5
DAY: Final = 86400.0
AU_LIGHT_DAYS: Final = erfa.DAU / erfa.CMPS / DAY
DEGREES_PER_DAY: Final = 360 / 365.2422

# Years, the year t counts from, and the coefficients of 1, t, t², …
DELTA_T: Final = (
    (1890, 1900, 1860, (7.62, 0.5737, -0.251754, 0.01680668, -0.0004473624, 1 / 233174)),
    (1900, 1920, 1900, (-2.79, 1.494119, -0.0598939, 0.0061966, -0.000197)),
    (1920, 1941, 1920, (21.20, 0.84493, -0.076100, 0.0020936)),
    (1941, 1961, 1950, (29.07, 0.407, -1 / 233, 1 / 2547)),
    (1961, 1972, 1975, (45.45, 1.067, -1 / 260, -1 / 718)),
)


def earth(tt: Array, later: Array | float = 0.0) -> tuple[Array, Array, Array]:
    """Return Earth's heliocentric position, barycentric position and barycentric velocity, in au and au per day."""
    with warnings.catch_warnings():
        # The first and the last year of the table lie just outside 1900 – 2100, where the theory is still as good.
        warnings.filterwarnings("ignore", 'ERFA function "epv00"', erfa.ErfaWarning)
        heliocentric, barycentric = erfa.epv00(tt, later)
    return heliocentric["p"], barycentric["p"], barycentric["v"]


def apparent_longitude(tt: Array) -> Array:
    """Return the apparent geocentric longitude of the Sun in degrees, 0 – 360, at Julian dates of TT."""
    heliocentric, barycentric, velocity = earth(tt)
    # The Sun hardly moves while its light travels, so the geometric distance gives the light time.
    delay = np.linalg.norm(heliocentric, axis=-1) * AU_LIGHT_DAYS
    earlier_heliocentric, earlier_barycentric, _ = earth(tt, -delay)
    direction = earlier_barycentric - earlier_heliocentric - barycentric
    distance = np.linalg.norm(direction, axis=-1)
    velocity = velocity * AU_LIGHT_DAYS
    lorentz = np.sqrt(1 - np.sum(velocity**2, axis=-1))
    apparent = erfa.ab(direction / distance[:, None], velocity, distance, lorentz)
    _, nutation_in_obliquity, mean_obliquity, *_, to_true_equator = erfa.pn06a(tt, 0.0)
    x, y, z = np.moveaxis(erfa.rxp(to_true_equator, apparent), -1, 0)
    obliquity = mean_obliquity + nutation_in_obliquity
    longitude = np.arctan2(y * np.cos(obliquity) + z * np.sin(obliquity), x)
    return np.asarray(np.degrees(longitude) % 360)


def instant_of(longitude: Array, near: Array) -> Array:
    """Return the Julian dates of TT, within half a year of `near`, at which the Sun is at these longitudes."""
    tt = near
    # The first error is under 3 days. The Sun's speed is within 4 % of the mean, so a step leaves 1/25 of the error.
    for _ in range(6):
        short = (longitude - apparent_longitude(tt) + 180) % 360 - 180
        tt = tt + short / DEGREES_PER_DAY
    return tt


def tt_minus_ut(tt: float) -> float:
    """Return the seconds from UT (before 1972) or UTC to TT at a Julian date of TT."""
    leaps = erfa.leap_seconds.get()
    starts = erfa.cal2jd(leaps["year"], leaps["month"], 1)
    offsets = leaps["tai_utc"] + 32.184
    since_1972 = leaps["year"] >= 1972
    begins = (starts[0] + starts[1] + offsets / DAY)[since_1972]
    period = int(np.searchsorted(begins, tt, side="right")) - 1
    if period >= 0:
        return float(offsets[since_1972][period])
    year = 2000 + (tt - J2000) / 365.25
    for first, last, origin, coefficients in DELTA_T:
        if first <= year < last:
            return float(np.polynomial.polynomial.polyval(year - origin, coefficients))
    raise ValueError(f"no ΔT for the year {year:.1f}")


def unix_seconds(tt: Array) -> list[int]:
    """Convert Julian dates of TT to Unix seconds of UTC, to the nearest second."""
    return [round((moment - UNIX_EPOCH) * DAY - tt_minus_ut(moment)) for moment in tt]


def rows() -> list[list[int]]:
    """Return the twelve 节 of every year from FIRST_YEAR to LAST_YEAR, from 立春 to 小寒 of the next January."""
    years = np.repeat(np.arange(FIRST_YEAR, LAST_YEAR + 1), 12)
    months = np.tile(np.arange(12), LAST_YEAR + 1 - FIRST_YEAR)
    # 立春 falls on 4 February, give or take a day; the others follow by a twelfth of a year.
    near = J2000 + 34.5 + (years - 2000 + months / 12) * 365.2422
    longitude = np.asarray((315 + 30 * months) % 360, dtype=np.float64)
    instants = unix_seconds(instant_of(longitude, near))
    return [instants[start : start + 12] for start in range(0, len(instants), 12)]


def document() -> str:
    """Return the file: a header, then one line of instants per year."""
    header = {
        "about": "The twelve solar terms that open the months (节), from 立春 to the 小寒 of the next January, by year",
        "unit": "Unix seconds of UTC, nearest second",
        "source": "IAU SOFA through pyerfa, by tools/make_solar_terms.py, which states the method and its error",
        "first_year": FIRST_YEAR,
    }
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows())
    return json.dumps(header, ensure_ascii=False, indent=1)[:-2] + ',\n "years": [\n' + lines + "\n ]\n}\n"


if __name__ == "__main__":
    TARGET.write_text(document(), encoding="utf-8")
