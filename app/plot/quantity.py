"""Computes what can be drawn of a dump: its fields, and what follows from them."""
import math

import numpy

from dump import AXES
from refusal import Refused, not_among


class Quantity:
    """`of(slab)` gives its values. `symmetric`: its colours are centred on 0, and `one_sided`: but where all of it has one
    sign. `state`: it is of a thermodynamic state, and so above 0. `of_bodies`: it is known within bodies, too. `darkens`:
    it is the gradient that schlieren() makes a picture of."""

    def __init__(self, name, label, needs, of, colours="viridis", symmetric=False, one_sided=False, state=False,
                 of_bodies=False, darkens=False):
        self.name, self.label, self.needs, self.of = name, label, needs, of
        self.colours, self.symmetric, self.one_sided = colours, symmetric, one_sided
        self.state, self.of_bodies, self.darkens = state, of_bodies, darkens

    def limits(self, values):
        """The least and the greatest finite value, for colours and axes."""
        return self.scale([ends_of(values)])

    def is_centred(self, low, high):
        return self.symmetric and (not self.one_sided or has_both_signs(low, high))

    def scale(self, ends, of_line=False):
        """The limits for values between those ends, (least, greatest) each; (inf, -inf) has none between. `of_line`: of an
        axis, not of colours."""
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        if low > high:
            return 0.0, 1.0
        if self.is_centred(low, high) and not of_line:
            high = max(abs(low), abs(high))
            low = -high
        # A uniform field has one colour, that of the middle, and not of its round-off.
        least = 1e-12 * max(abs(low), abs(high))
        if high - low > least:
            return low, high
        half = max(abs(low), abs(high)) / 2 or 0.5
        return low - half, high + half

    def colours_of(self, low, high):
        """The colour map of a scale: one with two halves is for values on both sides of 0."""
        return "viridis" if self.symmetric and not self.is_centred(low, high) else self.colours

    def spans_decades(self, low, high):
        """Whether only a logarithmic scale shows all of it."""
        return self.state and low > 0 and math.log10(high / low) > 2.5


def has_both_signs(low, high):
    """Whether a part of the values that can be seen is on either side of 0."""
    return min(-low, high) > 1e-3 * max(-low, high)


def ends_of(values):
    """The least and the greatest finite value that is not masked; (inf, -inf) where there is none."""
    values = numpy.ma.compressed(values)
    values = values[numpy.isfinite(values)]
    return (float(values.min()), float(values.max())) if values.size else (math.inf, -math.inf)


def beyond(ends, low, high):
    """At which ends a scale of colours from low to high has an arrow, as matplotlib calls them: where values between
    `ends`, (least, greatest) each, are beyond it."""
    below, above = any(least < low for least, _ in ends), any(greatest > high for _, greatest in ends)
    return "both" if below and above else "min" if below else "max" if above else "neither"


def _speed(slab):
    return numpy.sqrt((slab["velocity"] ** 2).sum(axis=-1))


def _sound_speed(slab):
    with numpy.errstate(invalid="ignore"):
        return numpy.sqrt(slab.dump.gamma * slab["pressure"] / slab["density"])


def _vorticity(slab):
    """The curl of the velocity: in a plane the component along its normal, in space the magnitude."""
    u = slab["velocity"]
    curl = [slab.gradient(u[..., (n + 2) % 3], (n + 1) % 3) - slab.gradient(u[..., (n + 1) % 3], (n + 2) % 3)
            for n in range(3)]
    if len(slab.dump.swept) < 3:
        return curl[normal_of(slab.dump)]
    return numpy.sqrt(sum(component ** 2 for component in curl))


def normal_of(dump):
    """The axis across the plane of a two-dimensional flow."""
    return next(axis for axis in (2, 1, 0) if axis not in dump.swept)


def _density_gradient(slab):
    rho = slab["density"]
    return numpy.sqrt(sum(slab.gradient(rho, axis) ** 2 for axis in range(3)))


def schlieren(gradient):
    """White where density is uniform, black at the steepest gradient; exponential, so that weak waves show, too
    (Quirk 1994)."""
    steepest = numpy.nanmax(numpy.ma.compressed(gradient), initial=0.0)
    return numpy.exp(-10 * gradient / steepest) if steepest > 0 else numpy.ones_like(gradient)


# What a run with bodies has of them.
BODIES = {
    "solid": Quantity("solid", "number of the body, 0 in the gas", ["solid"], lambda slab: slab["solid"], "cividis",
                      of_bodies=True),
    "distance": Quantity("distance", "distance from the nearest surface", ["distance"], lambda slab: slab["distance"],
                         "RdBu_r", symmetric=True, of_bodies=True)}

# What slices and boxes may hold beside what dumps do.
LABELS = {
    "density": "density", "pressure": "pressure", "second_gas": "volume fraction of the second gas",
    "energy": "energy per volume", "speed": "speed", "mach": "Mach number", "temperature": "temperature p / ρ",
    "entropy": "entropy p / ρ^γ", "vorticity": "magnitude of vorticity", "divergence": "divergence of the velocity",
    "q_criterion": "Q criterion", "schlieren": "density gradient",
    **{f"{name}_{axis}": f"{label} along {axis}" for axis in AXES
       for name, label in (("momentum", "momentum"), ("velocity", "velocity"), ("vorticity", "vorticity"))}}
SIGNED = {"divergence", "q_criterion",
          *(f"{name}_{axis}" for axis in AXES for name in ("momentum", "velocity", "vorticity"))}


# What averages over time are of a field: the end of a name, and how it is said.
OVER_TIME = {"_mean": "mean of the {}", "_rms": "deviation of the {}", "_covariance": "covariance of {}"}


def in_words(field):
    """How the field of an output is called."""
    return LABELS.get(field, field.replace("_", " "))


def _label_of(name, dump):
    """How a scalar is called: a field of an output, an average of one, or else a mass fraction."""
    for end, said in OVER_TIME.items():
        if name.endswith(end):
            return said.format(" and ".join(in_words(field) for field in _averaged(name.removesuffix(end), dump)))
    return LABELS.get(name, f"mass fraction of {name}")


def _averaged(name, dump):
    """The two fields of a covariance, whose name joins theirs; otherwise the one of that name."""
    fields = [field.removesuffix("_mean") for field in dump.fields if field.endswith("_mean")]
    pairs = ([one, other] for one in fields for other in fields if f"{one}_{other}" == name)
    return next(pairs, [name])


def _is_signed(name):
    return name in SIGNED or name.endswith("_covariance") or name.removesuffix("_mean") in SIGNED


def _scalars(dump):
    return [name for name, values in dump.fields.items()
            if name not in ("density", "pressure", *BODIES) and values.ndim == (1 if dump.is_curved else 3)]


DERIVATIVES = ("vorticity", "schlieren")  # along axes, which curved elements do not have


def quantities(dump):
    """Those a dump has the fields for, by name; of curved elements no derivatives. A run has no units but those of its
    deck, so labels name none."""
    swept = dump.swept
    if len(swept) < 3:
        vorticity = Quantity("vorticity", f"vorticity along {AXES[normal_of(dump)]}", ["velocity"],
                             _vorticity, "RdBu_r", symmetric=True)
    else:
        vorticity = Quantity("vorticity", "magnitude of vorticity", ["velocity"], _vorticity, "magma")
    known = [
        Quantity("density", "density", ["density"], lambda slab: slab["density"], state=True),
        Quantity("velocity", "speed", ["velocity"], _speed, "cividis"),
        Quantity("pressure", "pressure", ["pressure"], lambda slab: slab["pressure"], "cividis",
                 state=True),
        Quantity("mach", "Mach number", ["density", "velocity", "pressure"],
                 lambda slab: _speed(slab) / _sound_speed(slab), "cividis"),
        vorticity,
        Quantity("schlieren", "schlieren, exp(−10 |∇ρ| / max |∇ρ|)", ["density"], _density_gradient, "gray",
                 darkens=True),
        Quantity("temperature", "temperature p / ρ", ["density", "pressure"],
                 lambda slab: slab["pressure"] / slab["density"], "inferno", state=True),
        Quantity("entropy", "entropy p / ρ^γ", ["density", "pressure"],
                 lambda slab: slab["pressure"] / slab["density"] ** slab.dump.gamma, state=True),
    ]
    for axis in range(3):
        known.append(Quantity(f"velocity_{AXES[axis]}", f"velocity along {AXES[axis]}",
                              ["velocity"], lambda slab, axis=axis: slab["velocity"][..., axis], "RdBu_r",
                              symmetric=True, one_sided=True))
    listed = {one.name: one for one in known if all(field in dump.fields for field in one.needs)
              and not (dump.is_curved and one.name in DERIVATIVES)}
    for name in _scalars(dump):
        if name not in listed:
            signed = _is_signed(name)
            colours = "RdBu_r" if signed else "viridis" if name == "density_mean" else "cividis"
            listed[name] = Quantity(name, _label_of(name, dump), [name], lambda slab, name=name: slab[name], colours,
                                    symmetric=signed, one_sided=True)
    return listed | {name: one for name, one in BODIES.items() if name in dump.fields}


def _moving(dump):
    """The components of the velocity that a one-dimensional flow has: along its axis, if any along others is slow."""
    if "velocity" not in dump.fields:
        return []
    greatest = numpy.nan_to_num(abs(dump.whole()["velocity"])).max(axis=(0, 1, 2))
    axes = [axis for axis in range(3) if greatest[axis] > 1e-3 * greatest.max()] or [dump.swept[0]]
    return [f"velocity_{AXES[axis]}" for axis in axes]


MOST_OF_OUTPUT = 4  # pictures of an output's fields, if nobody chooses


def held(dump):
    """The names of the fields in a dump, without what says where bodies are."""
    return [name for name in dump.fields if name not in BODIES]


def in_order_of_deck(dump):
    """The fields of an output as its deck has them, of averages the means first: a dump sorts them by their names."""
    asked, ends = dump.fields_of_deck(), list(OVER_TIME)

    def place(name):
        end = next((end for end in ends if name.endswith(end)), "")
        fields = _averaged(name.removesuffix(end), dump)
        return (ends.index(end) if end else 0, *(asked.index(field) if field in asked else len(asked) for field in fields))
    return sorted(held(dump), key=place)


def chosen(dump, names, of_output=False):
    """The quantities of those names; without names those a person looks at first, of an output those that it was asked
    for. Raises Refused."""
    there = quantities(dump)
    for name in names:
        if name in there:
            continue
        if dump.is_curved and name in DERIVATIVES:
            raise Refused(f"no field '{name}' of the curved elements in '{dump.path}': pictures take differences along axes, "
                          "which they do not have", f"choose {', '.join(there)}")
        raise not_among(name, "field", list(there), dump.path)
    if not names:
        if len(dump.swept) == 1:
            first = ["density", *_moving(dump), "pressure", *_scalars(dump)]
        elif of_output:
            first = in_order_of_deck(dump)[:MOST_OF_OUTPUT]
        else:
            first = ["density"]
        names = [name for name in first if name in there] or list(there)[:1]
    return [there[name] for name in dict.fromkeys(names)]
