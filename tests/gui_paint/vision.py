"""How colours are seen: WCAG contrast, CIE Lab, CIEDE2000, and colour-blind vision."""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Rgb = tuple[float, float, float]
Lab = tuple[float, float, float]

VISIONS = ("normal", "protanopia", "deuteranopia", "tritanopia")
# Machado, Oliveira, Fernandes 2009, severity 1.0, applied to linear RGB.
_MATRICES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _gamma(value: float) -> float:
    value = min(max(value, 0.0), 1.0)
    return value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def contrast(one: Rgb, two: Rgb) -> float:
    """WCAG 2."""

    def luminance(colour: Rgb) -> float:
        red, green, blue = (_linear(value) for value in colour)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def over(colour: Rgb, alpha: float, back: Rgb) -> Rgb:
    """A colour painted over another."""
    red, green, blue = (a * alpha + b * (1 - alpha) for a, b in zip(colour, back, strict=True))
    return (red, green, blue)


def seen(colour: Rgb, vision: str) -> Rgb:
    """A colour as a kind of vision sees it."""
    if vision == "normal":
        return colour
    linear = [_linear(value) for value in colour]
    red, green, blue = (
        _gamma(sum(m * v for m, v in zip(row, linear, strict=True))) for row in _MATRICES[vision]
    )
    return (red, green, blue)


def lab(colour: Rgb) -> Lab:
    """CIE Lab under D65."""
    red, green, blue = (_linear(value) for value in colour)
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in (x, y, z))
    return (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))


def ciede2000(one: Lab, two: Lab) -> float:
    """The colour difference of CIE 142-2001."""
    l1, a1, b1 = one
    l2, a2, b2 = two
    mean_c = (hypot(a1, b1) + hypot(a2, b2)) / 2
    g = 0.5 * (1 - sqrt(mean_c**7 / (mean_c**7 + 25.0**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    dh = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    big_h = 2 * sqrt(c1 * c2) * sin(radians(dh / 2))
    l_mean, c_mean = (l1 + l2) / 2, (c1 + c2) / 2
    h_mean = h1 + h2 if c1 * c2 == 0 else (h1 + dh / 2) % 360
    t = (
        1
        - 0.17 * cos(radians(h_mean - 30))
        + 0.24 * cos(radians(2 * h_mean))
        + 0.32 * cos(radians(3 * h_mean + 6))
        - 0.20 * cos(radians(4 * h_mean - 63))
    )
    s_l = 1 + 0.015 * (l_mean - 50) ** 2 / sqrt(20 + (l_mean - 50) ** 2)
    s_c, s_h = 1 + 0.045 * c_mean, 1 + 0.015 * c_mean * t
    turn = 30 * exp(-(((h_mean - 275) / 25) ** 2))
    r_t = -2 * sqrt(c_mean**7 / (c_mean**7 + 25.0**7)) * sin(radians(2 * turn))
    parts = ((l2 - l1) / s_l, (c2 - c1) / s_c, big_h / s_h)
    return sqrt(sum(part**2 for part in parts) + r_t * parts[1] * parts[2])
