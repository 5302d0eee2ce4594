// Bad decks and, to the letter, what a person is told about each.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/deck/deck.hpp"

namespace {

using namespace halfstep;

struct BadDeck {
  const char* mistake;
  const char* deck;
  std::vector<std::string> overrides;
  const char* message;  ///< "<cases>" stands for the names of all cases
};

// clang-format off
const std::vector<BadDeck> kBadDecks = {
{"an unknown key",
R"(scheme: {recontruction: plm}
case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:1:10: error: unknown key 'recontruction' in 'scheme'; did you mean 'reconstruction'?
    1 | scheme: {recontruction: plm}
      |          ^~~~~~~~~~~~~
      = the keys of 'scheme': reconstruction, limiter, variables, riemann, averages, viscous_order, integrator, precision
)"},

{"an unknown key at the top level, near a nested one",
R"(gama: 1.4
case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:1:1: error: unknown key 'gama'; did you mean 'gas.gamma'?
    1 | gama: 1.4
      | ^~~~
      = the keys of a deck: title, case, mesh, gas, gravity, wall, source, scheme, positivity, time, soft_error, inject, interruptible, output, checkpoint
)"},

{"a key in the wrong block",
R"(cfl: 0.3
case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:1:1: error: unknown key 'cfl'; did you mean 'time.cfl'?
    1 | cfl: 0.3
      | ^~~
      = the keys of a deck: title, case, mesh, gas, gravity, wall, source, scheme, positivity, time, soft_error, inject, interruptible, output, checkpoint
)"},

{"a dotted key",
R"(time.cfl: 0.3
case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:1:1: error: unknown key 'time.cfl'; in a deck write 'time: {cfl: ...}'
    1 | time.cfl: 0.3
      | ^~~~~~~~
      = the keys of a deck: title, case, mesh, gas, gravity, wall, source, scheme, positivity, time, soft_error, inject, interruptible, output, checkpoint
)"},

{"an unknown key near nothing",
R"(gas: {colour: red}
case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:1:7: error: unknown key 'colour' in 'gas'
    1 | gas: {colour: red}
      |       ^~~~~~
      = the keys of 'gas': gamma, viscosity, prandtl, viscosity_law, reference_temperature, sutherland_temperature
)"},

{"a key without a space after its colon",
R"(gas: {gamma:1.4}
case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:1:7: error: unknown key 'gamma:1.4' in 'gas'; a space is missing after the ':'
    1 | gas: {gamma:1.4}
      |       ^~~~~~~~~
      = the keys of 'gas': gamma, viscosity, prandtl, viscosity_law, reference_temperature, sutherland_temperature
)"},

{"a key of another case",
R"(case: {name: riemann, amplitude: 1}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:1:23: error: unknown key 'amplitude' in 'case'
    1 | case: {name: riemann, amplitude: 1}
      |                       ^~~~~~~~~
      = the keys of case 'riemann': name, axis, position, left, right
)"},

{"an unknown case",
R"(case: {name: rieman}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:1:14: error: 'case.name' cannot be 'rieman'; did you mean 'riemann'?
    1 | case: {name: rieman}
      |              ^~~~~~
      = choose <cases>
)"},

{"no case",
R"(mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:1:1: error: missing 'case.name': the flow to be computed
    1 | mesh: {cells: [64, 1, 1]}
      | ^
      = 'case.name' takes <cases>
)"},

{"a case without its name",
R"(mesh: {cells: [64, 1, 1]}
case:
  axis: x
time: {end: 0.2}
)",
{},
R"(deck.yaml:2:1: error: missing 'case.name': the flow to be computed
    2 | case:
      | ^~~~
      = 'case.name' takes <cases>
)"},

{"a case that is not a block",
R"(case: riemann
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:1:7: error: 'case' is a block of keys, not 'riemann'
    1 | case: riemann
      |       ^~~~~~~
      = its keys: name
)"},

{"no cells and no end",
R"(title: nothing
case: {name: riemann}
)",
{},
R"(deck.yaml:1:1: error: missing 'mesh.cells': cells along x, y and z; an axis with 1 cell is not swept
    1 | title: nothing
      | ^
      = 'mesh.cells' takes a list of 3 integers, each from 1 to 1048576
deck.yaml:1:1: error: missing 'time.end': when the run ends; it starts at time 0
    1 | title: nothing
      | ^
      = 'time.end' takes a number greater than 0
)"},

{"an empty deck",
"",
{},
R"(deck.yaml:1:1: error: the deck is empty
      = it needs at least case.name, mesh.cells and time.end
)"},

{"a deck of comments",
R"(# nothing
)",
{},
R"(deck.yaml:1:1: error: the deck is empty
    1 | # nothing
      | ^
      = it needs at least case.name, mesh.cells and time.end
)"},

{"a list",
R"(- case
- mesh
)",
{},
R"(deck.yaml:1:1: error: a deck is a block of 'key: value' lines, not a list
    1 | - case
      | ^
)"},

{"two documents",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
---
title: two
)",
{},
R"(deck.yaml:4:1: error: a second YAML document: a deck is one document
    4 | ---
      | ^
)"},

{"a duplicate key",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gas:
  gamma: 1.4
  gamma: 1.6
)",
{},
R"(deck.yaml:6:3: error: duplicate key 'gamma'
    6 |   gamma: 1.6
      |   ^~~~~
      = it is given on line 5 already; keep one of the two
)"},

{"a duplicate block",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
time: {end: 1}
)",
{},
R"(deck.yaml:4:1: error: duplicate key 'time'
    4 | time: {end: 1}
      | ^~~~
      = it is given on line 3 already; keep one of the two
)"},

{"text for a number",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gas: {gamma: air}
)",
{},
R"(deck.yaml:4:14: error: 'gas.gamma' takes a number, not 'air'
    4 | gas: {gamma: air}
      |              ^~~
      = ratio of specific heats of the ideal gas (default 1.4)
)"},

{"a quoted number",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gas: {gamma: "1.4"}
)",
{},
R"(deck.yaml:4:14: error: 'gas.gamma' takes a number, not the text '1.4'; did you mean 1.4, without quotation marks?
    4 | gas: {gamma: "1.4"}
      |              ^~~~~
      = ratio of specific heats of the ideal gas (default 1.4)
)"},

{"a Fortran number",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
output: {every: 1d-2}
)",
{},
R"(deck.yaml:4:17: error: 'output.every' takes a number, not '1d-2'; did you mean 1e-2?
    4 | output: {every: 1d-2}
      |                 ^~~~
      = dump the fields at every multiple of this time; 0 = off [time] (default 0.0)
)"},

{"a decimal comma",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gas:
  gamma: 1,4
)",
{},
R"(deck.yaml:5:10: error: 'gas.gamma' takes a number, not '1,4'; did you mean 1.4?
    5 |   gamma: 1,4
      |          ^~~
      = ratio of specific heats of the ideal gas (default 1.4)
)"},

{"nothing for a number",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gas:
  gamma:
)",
{},
R"(deck.yaml:5:3: error: 'gas.gamma' takes a number, not nothing
    5 |   gamma:
      |   ^~~~~
      = ratio of specific heats of the ideal gas (default 1.4)
)"},

{"a list for a number",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gas: {gamma: [1.4]}
)",
{},
R"(deck.yaml:4:14: error: 'gas.gamma' takes a number, not a list
    4 | gas: {gamma: [1.4]}
      |              ^~~~~
      = ratio of specific heats of the ideal gas (default 1.4)
)"},

{"a number out of range",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gas: {gamma: 1}
)",
{},
R"(deck.yaml:4:14: error: 'gas.gamma' must be greater than 1, not 1
    4 | gas: {gamma: 1}
      |              ^
      = ratio of specific heats of the ideal gas (default 1.4)
)"},

{"an end before the start",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: -1}
)",
{},
R"(deck.yaml:3:13: error: 'time.end' must be greater than 0, not -1
    3 | time: {end: -1}
      |             ^~
      = when the run ends; it starts at time 0
)"},

{"not a number",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gas: {gamma: .nan}
)",
{},
R"(deck.yaml:4:14: error: 'gas.gamma' must be finite, not '.nan'
    4 | gas: {gamma: .nan}
      |              ^~~~
      = ratio of specific heats of the ideal gas (default 1.4)
)"},

{"infinity",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: .inf}
)",
{},
R"(deck.yaml:3:13: error: 'time.end' must be finite, not '.inf'
    3 | time: {end: .inf}
      |             ^~~~
      = when the run ends; it starts at time 0
)"},

{"a number too large for 64 bits",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gas: {gamma: 1e999}
)",
{},
R"(deck.yaml:4:14: error: 'gas.gamma' does not fit a 64-bit real: '1e999'
    4 | gas: {gamma: 1e999}
      |              ^~~~~
      = ratio of specific heats of the ideal gas (default 1.4)
)"},

{"a real for an integer",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
checkpoint: {keep: 2.0}
)",
{},
R"(deck.yaml:4:20: error: 'checkpoint.keep' takes an integer, not '2.0'; did you mean 2?
    4 | checkpoint: {keep: 2.0}
      |                    ^~~
      = checkpoints kept; older ones are deleted (default 2)
)"},

{"an integer out of range",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
checkpoint: {keep: 0}
)",
{},
R"(deck.yaml:4:20: error: 'checkpoint.keep' must be from 1 to 2147483647, not 0
    4 | checkpoint: {keep: 0}
      |                    ^
      = checkpoints kept; older ones are deleted (default 2)
)"},

{"an integer too large for 64 bits",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
output: {every_steps: 99999999999999999999}
)",
{},
R"(deck.yaml:4:23: error: 'output.every_steps' does not fit an integer of 64 bits: '99999999999999999999'
    4 | output: {every_steps: 99999999999999999999}
      |                       ^~~~~~~~~~~~~~~~~~~~
      = dump the fields every so many steps; 0 = off [steps] (default 0)
)"},

{"yes for a boolean",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
interruptible: {enabled: yes}
)",
{},
R"(deck.yaml:4:26: error: 'interruptible.enabled' takes true or false, not 'yes'; did you mean 'true'?
    4 | interruptible: {enabled: yes}
      |                          ^~~
      = whether a step is made in slices, between which a run can be stopped and checkpointed (default false)
)"},

{"a misspelt choice",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
scheme: {riemann: hlcc}
)",
{},
R"(deck.yaml:4:19: error: 'scheme.riemann' cannot be 'hlcc'; did you mean 'hllc'?
    4 | scheme: {riemann: hlcc}
      |                   ^~~~
      = choose rusanov, hll, hllc or roe
)"},

{"a choice near none",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
scheme:
  limiter: superbee
)",
{},
R"(deck.yaml:5:12: error: 'scheme.limiter' cannot be 'superbee'
    5 |   limiter: superbee
      |            ^~~~~~~~
      = choose minmod, van_leer or mc
)"},

{"a list too short",
R"(case: {name: riemann}
mesh: {cells: [64, 64]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:2:15: error: 'mesh.cells' takes a list of 3 integers, each from 1 to 1048576, not a list of 2
    2 | mesh: {cells: [64, 64]}
      |               ^~~~~~~~
      = cells along x, y and z; an axis with 1 cell is not swept
)"},

{"a wrong entry of a list",
R"(case: {name: riemann}
mesh: {cells: [64, 0, one]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:2:20: error: 'mesh.cells[1]' must be from 1 to 1048576, not 0
    2 | mesh: {cells: [64, 0, one]}
      |                    ^
      = cells along x, y and z; an axis with 1 cell is not swept
deck.yaml:2:23: error: 'mesh.cells[2]' takes an integer, not 'one'
    2 | mesh: {cells: [64, 0, one]}
      |                       ^~~
      = cells along x, y and z; an axis with 1 cell is not swept
)"},

{"too many cells",
R"(case: {name: riemann}
mesh: {cells: [1048576, 1048576, 4]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:2:15: error: 1048576 x 1048576 x 4 cells are too many: at most 1099511627776 altogether
    2 | mesh: {cells: [1048576, 1048576, 4]}
      |               ^~~~~~~~~~~~~~~~~~~~~
)"},

{"no cells to sweep",
R"(case: {name: uniform}
mesh: {cells: [1, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:2:15: error: nothing to compute: no axis has more than one cell
    2 | mesh: {cells: [1, 1, 1]}
      |               ^~~~~~~~~
      = give at least one axis more cells, for example [256, 1, 1]
)"},

{"fewer cells than the stencil",
R"(case: {name: uniform}
mesh: {cells: [64, 2, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:2:20: error: too few cells along y: weno5z needs at least 3
    2 | mesh: {cells: [64, 2, 1]}
      |                    ^
      = or 1, and the axis is not swept
)"},

{"a mesh upside down",
R"(case: {name: riemann}
mesh:
  cells: [64, 1, 1]
  lower: [0, 0, 0]
  upper: [1, 0, 1]
time: {end: 0.2}
)",
{},
R"(deck.yaml:5:14: error: the mesh has no extent along y: lower is 0, upper is 0
    5 |   upper: [1, 0, 1]
      |              ^
      = upper must be greater than lower on every axis, swept or not
)"},

{"a periodic boundary on one side",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1], boundary: {x: [periodic, outflow]}}
time: {end: 0.2}
)",
{},
R"(deck.yaml:2:52: error: 'mesh.boundary.x' is periodic on one side only
    2 | mesh: {cells: [64, 1, 1], boundary: {x: [periodic, outflow]}}
      |                                                    ^~~~~~~
      = periodic takes both sides of an axis
)"},

{"a prescribed boundary without a state",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1], boundary: {x: [outflow, prescribed]}}
time: {end: 0.2}
)",
{},
R"(deck.yaml:2:51: error: case 'riemann' prescribes no boundary state
    2 | mesh: {cells: [64, 1, 1], boundary: {x: [outflow, prescribed]}}
      |                                                   ^~~~~~~~~~
      = inflow holds the case's initial state for all time
)"},

{"a case that objects",
R"(title: a tube
case:
  name: riemann
  axis: y
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:4:9: error: case 'riemann': the tube lies along axis y, which has one cell: give mesh.cells more there, or set another case.axis
    4 |   axis: y
      |         ^
)"},

{"a case that an override spoils",
R"(title: a tube
case:
  name: riemann
  axis: x
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{"time.end=0.3", "mesh.cells=[1,64,1]"},
R"(override 'mesh.cells=[1,64,1]': error: case 'riemann': the tube lies along axis x, which has one cell: give mesh.cells more there, or set another case.axis
      | mesh.cells=[1,64,1]
      |            ^~~~~~~~
)"},

{"a case that objects to a key far from its own",
R"(case: {name: viscous_shock}
mesh: {cells: [64, 1, 1], boundary: {x: [inflow, inflow]}}
gas:
  viscosity: 0.04
  prandtl: 0.72
time: {end: 0.2}
)",
{},
R"(deck.yaml:5:12: error: case 'viscous_shock': the exact shock is that of Prandtl number 3/4: set gas.prandtl to 0.75
    5 |   prandtl: 0.72
      |            ^~~~
)"},

{"a blast whose exact solution objects",
R"(case: {name: sedov}
mesh: {cells: [16, 16, 16]}
gas: {gamma: 7}
time: {end: 0.2}
)",
{},
R"(deck.yaml:3:14: error: case 'sedov': gas.gamma: the spherical Sedov solution has a hollow core from gamma = 7 on, which is not provided
    3 | gas: {gamma: 7}
      |              ^
)"},

{"heavy gas that its pressure does not bear",
R"(case:
  name: rayleigh_taylor
  lower_density: 1
  pressure: 0.5
mesh: {cells: [16, 64, 1], lower: [0, -1, 0], boundary: {y: [reflecting, reflecting]}}
gravity: [0, -1, 0]
time: {end: 0.2}
)",
{},
R"(deck.yaml:4:13: error: case 'rayleigh_taylor': case.pressure: the pressure at the top is not positive: make the pressure larger, or the weight or the height smaller
    4 |   pressure: 0.5
      |             ^~~
)"},

{"an unphysical state of a case",
R"(case:
  name: riemann
  left: {density: -1, pressure: 0}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:3:19: error: 'case.left.density' must be greater than 0, not -1
    3 |   left: {density: -1, pressure: 0}
      |                   ^~
      = density on the lower side (default 1.0)
deck.yaml:3:33: error: 'case.left.pressure' must be greater than 0, not 0
    3 |   left: {density: -1, pressure: 0}
      |                                 ^
      = pressure on the lower side (default 1.0)
)"},

{"a fault outside the mesh, in a stage that is none",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
scheme: {integrator: ssprk2}
time: {end: 0.2}
inject:
  step: 3
  stage: 3
  cell: [64, 0, 1]
)",
{},
R"(deck.yaml:7:10: error: no such stage: 3 of ssprk2, which has 2
    7 |   stage: 3
      |          ^
      = from 1 to 2
deck.yaml:8:10: error: no such cell: 64 along x of a mesh with 64
    8 |   cell: [64, 0, 1]
      |          ^~
      = from 0 to 63
deck.yaml:8:17: error: no such cell: 1 along z of a mesh with 1
    8 |   cell: [64, 0, 1]
      |                 ^
      = from 0 to 0
)"},

{"a bit that single precision does not have",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
scheme: {precision: single}
time: {end: 0.2}
inject: {step: 1, kind: bit_flip, bit: 32}
)",
{},
R"(deck.yaml:5:40: error: no such bit: 32 of a number in single precision
    5 | inject: {step: 1, kind: bit_flip, bit: 32}
      |                                        ^~
      = from 0 to 31, the sign
)"},

{"a reaction in a case with nothing to burn",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
source: {kind: reaction}
time: {end: 0.2}
)",
{},
R"(deck.yaml:3:16: error: case 'riemann' has no reactant: there is nothing to burn
    3 | source: {kind: reaction}
      |                ^~~~~~~~
      = case.name: detonation has some
)"},

{"a detonation with nothing that burns",
R"(case: {name: detonation}
mesh: {cells: [64, 1, 1]}
source: {kind: cooling}
time: {end: 0.2}
)",
{},
R"(deck.yaml:3:16: error: case 'detonation': a detonation needs source.kind: reaction
    3 | source: {kind: cooling}
      |                ^~~~~~~
)"},

{"a box that is to cool and does not",
R"(case: {name: cooling_box}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{},
R"(deck.yaml:1:14: error: case 'cooling_box': a gas that cools needs source.kind: cooling
    1 | case: {name: cooling_box}
      |              ^~~~~~~~~~~
)"},

{"a source that makes no sense",
R"(case: {name: detonation}
mesh: {cells: [64, 1, 1]}
source:
  kind: fire
  tolerance: 0.5
  reaction: {rate: 0}
time: {end: 0.2}
)",
{},
R"(deck.yaml:4:9: error: 'source.kind' cannot be 'fire'
    4 |   kind: fire
      |         ^~~~
      = choose none, cooling or reaction
deck.yaml:5:14: error: 'source.tolerance' must be from 1e-12 to 0.1, not 0.5
    5 |   tolerance: 0.5
      |              ^~~
      = largest error of a sub-step: of the temperature (cooling), or of the mass fraction or the heat of reaction (reaction), relative (default 1.0e-06)
deck.yaml:6:20: error: 'source.reaction.rate' must be greater than 0, not 0
    6 |   reaction: {rate: 0}
      |                    ^
      = of dY/dt = -rate Y exp(-activation_energy / T), Y the mass fraction of reactant, T = p / density [1 / time] (default 1.0)
)"},

{"a floor that single precision cannot hold",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
scheme: {precision: single}
time: {end: 0.2}
soft_error: {floor: {pressure: 1.0e-40}}
)",
{},
R"(deck.yaml:5:32: error: 'soft_error.floor.pressure' is too small for single precision
    5 | soft_error: {floor: {pressure: 1.0e-40}}
      |                                ^~~~~~~
      = at least 1.18e-38
)"},

{"floors whose product single precision cannot hold",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
scheme: {precision: single}
time: {end: 0.2}
soft_error: {floor: {density: 1.0e-20, pressure: 1.0e-20}}
)",
{},
R"(deck.yaml:5:50: error: 'soft_error.floor.pressure' times 'soft_error.floor.density' is too small for single precision
    5 | soft_error: {floor: {density: 1.0e-20, pressure: 1.0e-20}}
      |                                                  ^~~~~~~
      = 2 density pressure / (gamma - 1) at least 1.18e-38
)"},

{"a wall for a gas that is not viscous",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1], boundary: {x: [reflecting, no_slip], y: [no_slip, no_slip]}}
time: {end: 0.2}
)",
{},
R"(deck.yaml:2:54: error: an inviscid gas sticks to no wall
    2 | mesh: {cells: [64, 1, 1], boundary: {x: [reflecting, no_slip], y: [no_slip, no_slip]}}
      |                                                      ^~~~~~~
      = give gas.viscosity, or take the slip wall, reflecting
)"},

{"a wall's velocity where the gas sticks to none, and a channel without walls",
R"(case: {name: couette}
mesh: {cells: [1, 16, 1], boundary: {y: [no_slip, outflow]}}
time: {end: 0.2}
gas: {viscosity: 0.1}
wall: {velocity_upper: [1, 0, 0], temperature_lower: 1}
)",
{},
R"(deck.yaml:2:41: error: case 'couette' cannot have these boundaries
    2 | mesh: {cells: [1, 16, 1], boundary: {y: [no_slip, outflow]}}
      |                                         ^~~~~~~~~~~~~~~~~~
      = the flow is one between walls that the gas sticks to: [no_slip, no_slip]
deck.yaml:5:24: error: 'wall.velocity_upper' without a no_slip boundary on a side that is upper
    5 | wall: {velocity_upper: [1, 0, 0], temperature_lower: 1}
      |                        ^~~~~~~~~
      = give mesh.boundary one, or leave it out
)"},

{"gravity along an axis that is not swept",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gravity: [-1, 0, -1]
)",
{},
R"(deck.yaml:4:18: error: gravity along z, which is not swept
    4 | gravity: [-1, 0, -1]
      |                  ^~
      = nothing can bear the gas there: it would fall for ever
)"},

{"viscous terms of an order there is none of",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gas: {viscosity: 0.01}
scheme: {viscous_order: 3}
)",
{},
R"(deck.yaml:5:25: error: 'scheme.viscous_order' must be 2 or 4, not 3
    5 | scheme: {viscous_order: 3}
      |                         ^
      = of the central differences of the viscous terms: 2 or 4 (default 2)
)"},

{"viscous terms that reach beyond the ghost cells",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
scheme: {reconstruction: constant, viscous_order: 4}
)",
{},
R"(deck.yaml:4:51: error: viscous terms of order 4 reach two cells across a face: constant has one layer of ghosts
    4 | scheme: {reconstruction: constant, viscous_order: 4}
      |                                                   ^
      = take 2, or another scheme.reconstruction
)"},

{"a field twice",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
output: {fields: [density, density]}
)",
{},
R"(deck.yaml:4:28: error: 'output.fields' names 'density' twice
    4 | output: {fields: [density, density]}
      |                            ^~~~~~~
      = choose density, velocity, pressure or mass_fraction
)"},

{"the mass fraction of a reactant that is not there",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
output: {fields: [density, mass_fraction]}
)",
{},
R"(deck.yaml:4:28: error: there is no reactant to dump the mass fraction of
    4 | output: {fields: [density, mass_fraction]}
      |                            ^~~~~~~~~~~~~
      = only 'source.kind: reaction' has one
)"},

{"a Riemann solver that carries no reactant",
R"(case: {name: detonation}
mesh: {cells: [64, 1, 1]}
source: {kind: reaction}
scheme: {riemann: roe}
time: {end: 0.2}
)",
{},
R"(deck.yaml:4:19: error: roe carries no reactant
    4 | scheme: {riemann: roe}
      |                   ^~~
      = hllc is the Riemann solver that does
)"},

{"averages of higher order than the reconstruction",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
scheme: {reconstruction: plm, averages: fourth_order}
time: {end: 0.2}
)",
{},
R"(deck.yaml:3:41: error: averages of fourth order beside 'scheme.reconstruction: plm'
    3 | scheme: {reconstruction: plm, averages: fourth_order}
      |                                         ^~~~~~~~~~~~
      = take ppm or weno5z, or leave it at midpoint
)"},

{"averages of fourth order of a reactant",
R"(case: {name: detonation}
mesh: {cells: [64, 1, 1]}
source: {kind: reaction}
scheme: {averages: fourth_order}
time: {end: 0.2}
)",
{},
R"(deck.yaml:4:20: error: averages of fourth order do not correct the flux of a reactant
    4 | scheme: {averages: fourth_order}
      |                    ^~~~~~~~~~~~
      = leave it at midpoint
)"},

{"limited fluxes of another Riemann solver",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
positivity: hu_adams_shu
scheme: {riemann: roe}
time: {end: 0.2}
)",
{},
R"(deck.yaml:4:19: error: the fluxes of roe cannot be limited by 'positivity: hu_adams_shu'
    4 | scheme: {riemann: roe}
      |                   ^~~
      = hllc is the Riemann solver whose fluxes can
)"},

{"limited fluxes of a reactant",
R"(case: {name: detonation}
mesh: {cells: [64, 1, 1]}
source: {kind: reaction}
positivity: hu_adams_shu
time: {end: 0.2}
)",
{},
R"(deck.yaml:4:13: error: 'positivity: hu_adams_shu' does not limit the flux of a reactant
    4 | positivity: hu_adams_shu
      |             ^~~~~~~~~~~~
      = leave it at none: the ladder of soft_error serves here
)"},

{"no fields",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
output: {fields: []}
)",
{},
R"(deck.yaml:4:18: error: 'output.fields' takes a list of one or more of density, velocity, pressure or mass_fraction, not an empty list
    4 | output: {fields: []}
      |                  ^~
      = choose density, velocity, pressure or mass_fraction
)"},

{"an empty directory",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
output: {directory: ""}
)",
{},
R"(deck.yaml:4:21: error: 'output.directory' is empty
    4 | output: {directory: ""}
      |                     ^~
)"},

{"a malformed duration",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
checkpoint: {every_wall: "10:00"}
)",
{},
R"(deck.yaml:4:26: error: 'checkpoint.every_wall' takes a duration "HH:MM:SS", not '10:00'
    4 | checkpoint: {every_wall: "10:00"}
      |                          ^~~~~~~
      = write a checkpoint every so much wall time; 00:00:00 = off [HH:MM:SS] (default "00:10:00")
)"},

{"a spike factor below one",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
soft_error:
  spike: {factor: 0.5}
)",
{},
R"(deck.yaml:5:19: error: 'soft_error.spike.factor' must be at least 1, or 0 = off, not 0.5
    5 |   spike: {factor: 0.5}
      |                   ^~~
      = a factor below 1 makes every uniform flow a spike
)"},

{"bins without width",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
output:
  histogram: {field: density, lower: 2, upper: 1}
)",
{},
R"(deck.yaml:5:48: error: the bins have no width: lower is 2, upper is 1
    5 |   histogram: {field: density, lower: 2, upper: 1}
      |                                                ^
      = upper must be greater than lower; both 0 = the extrema of the state
)"},

{"bins that begin where the extrema of the state were meant to end them",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
output:
  histogram: {field: density, lower: 0.5}
)",
{},
R"(deck.yaml:5:38: error: the bins have no width: lower is 0.5, upper is 0
    5 |   histogram: {field: density, lower: 0.5}
      |                                      ^~~
      = upper must be greater than lower; both 0 = the extrema of the state
)"},

{"a histogram of no field",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
output:
  histogram: {every_steps: 10}
)",
{},
R"(deck.yaml:5:28: error: there is no field to make a histogram of
    5 |   histogram: {every_steps: 10}
      |                            ^~
      = output.histogram.field chooses one
)"},

{"a histogram of a mass fraction that is not there",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
output:
  histogram: {field: mass_fraction}
)",
{},
R"(deck.yaml:5:22: error: there is no reactant to make a histogram of the mass fraction of
    5 |   histogram: {field: mass_fraction}
      |                      ^~~~~~~~~~~~~
      = only 'source.kind: reaction' has one
)"},

{"a control character in text",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
title: "a\tb"
)",
{},
R"(deck.yaml:4:8: error: 'title' is one line of text without control characters, not 'a\x09b'
    4 | title: "a\tb"
      |        ^~~~~~
      = what the run is called in its output (default "")
)"},

{"characters of several bytes before the mistake",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
gas: {prandtl: é, gamma: μ}
)",
{},
R"(deck.yaml:4:16: error: 'gas.prandtl' takes a number, not 'é'
    4 | gas: {prandtl: é, gamma: μ}
      |                ^
      = Prandtl number, for the heat flux of a viscous gas (default 0.72)
deck.yaml:4:26: error: 'gas.gamma' takes a number, not 'μ'
    4 | gas: {prandtl: é, gamma: μ}
      |                          ^
      = ratio of specific heats of the ideal gas (default 1.4)
)"},

{"a tab before the mistake",
"case: {name: riemann}\nmesh: {cells: [64, 1, 1]}\ntime: {end: 0.2}\ngas: {prandtl: 0.7,\tgamma: x}\n",
{},
"deck.yaml:4:28: error: 'gas.gamma' takes a number, not 'x'\n    4 | gas: {prandtl: 0.7,\tgamma: x}\n      |                    \t       ^\n      = ratio of specific heats of the ideal gas (default 1.4)\n"},

{"a long line",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
title: [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy, zzzzzzzzzz]
)",
{},
R"(deck.yaml:4:8: error: 'title' takes text, not a list
    4 | title: [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy ...
      |        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      = what the run is called in its output (default "")
)"},

{"a flow block that is not closed",
R"(case: {name: riemann
mesh: {cells: [64, 1, 1]}
)",
{},
R"(deck.yaml:2:5: error: not valid YAML: a '{' is not closed, or a ',' is missing
    2 | mesh: {cells: [64, 1, 1]}
      |     ^
      = it opens on line 1
)"},

{"a wrong indentation",
R"(case:
  name: riemann
 mesh: 3
)",
{},
R"(deck.yaml:3:2: error: not valid YAML: this does not fit the block above it
    3 |  mesh: 3
      |  ^
      = check the indentation, and the ':' with a space after each key
)"},

{"a tab in the indentation",
"case:\n\tname: riemann\n",
{},
"deck.yaml:2:1: error: not valid YAML: a tab in the indentation\n    2 | \tname: riemann\n      | ^\n      = YAML wants spaces there\n"},

{"a quotation mark that is not closed",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
title: "Sod
)",
{},
R"(deck.yaml:4:8: error: not valid YAML: a quotation mark is not closed
    4 | title: "Sod
      |        ^
)"},

{"a colon in text",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
title: Sod: a tube
)",
{},
R"(deck.yaml:4:11: error: not valid YAML: a ':' where no value can stand
    4 | title: Sod: a tube
      |           ^
      = check the indentation and the line above; text that holds ': ' wants quotation marks
)"},

{"an alias of nothing",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
title: *name
)",
{},
R"(deck.yaml:4:8: error: not valid YAML: an alias of an anchor that is not defined above it
    4 | title: *name
      |        ^
)"},

{"a key that is a list",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
? [a]
: 1
)",
{},
R"(deck.yaml:4:3: error: a key must be a name
    4 | ? [a]
      |   ^~~
)"},

{"a block that contains itself",
R"(case: {name: riemann}
mesh: &m {cells: *m}
time: {end: 1}
)",
{},
R"(deck.yaml:2:7: error: 'mesh.cells' takes a list of 3 integers, each from 1 to 1048576, not a block
    2 | mesh: &m {cells: *m}
      |       ^
      = cells along x, y and z; an axis with 1 cell is not swept
)"},

{"a byte that is not UTF-8",
"case: {name: riemann}\nmesh: {cells: [64, 1, 1]}\ntime: {end: 0.2}\ntitle: \377\n",
{},
R"(deck.yaml:4:1: error: not a text file: this line holds the byte 0xff, which is not UTF-8
      = a deck is YAML text in UTF-8
)"},

{"a control character in the file",
"case: {name: riemann}\nmesh: {cells: [64, 1, 1]}\ntime: {end: 0.2}\ntitle: \001\n",
{},
R"(deck.yaml:4:1: error: not a text file: this line holds the control character 0x01
      = a deck is YAML text in UTF-8
)"},

{"an override of an unknown key",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{"time.clf=0.3"},
R"(override 'time.clf=0.3': error: unknown key 'clf' in 'time'; did you mean 'cfl'?
      | time.clf=0.3
      |      ^~~
      = the keys of 'time': end, cfl, dt, max_steps
)"},

{"an override of the wrong type",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{"time.cfl=abc"},
R"(override 'time.cfl=abc': error: 'time.cfl' takes a number, not 'abc'
      | time.cfl=abc
      |          ^~~
      = Courant number: dt = cfl / max over cells of sum_d ((|u_d| + c) / dx_d + K D / dx_d^2), D the larger of 4/3 viscosity / density and the diffusivity of heat, K = 2, or 8/3 for viscous_order 4 (default 0.4)
)"},

{"an override out of range",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{"mesh.cells=[64,-1,1]"},
R"(override 'mesh.cells=[64,-1,1]': error: 'mesh.cells[1]' must be from 1 to 1048576, not -1
      | mesh.cells=[64,-1,1]
      |                ^~
      = cells along x, y and z; an axis with 1 cell is not swept
)"},

{"an override without a key",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{"=3"},
R"(override '=3': error: an override is 'block.key=value'
      | =3
      | ^
      = for example time.cfl=0.3 or mesh.cells=[64,64,1]
)"},

{"an override without a value or equals sign",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{"time.cfl"},
R"(override 'time.cfl': error: an override is 'block.key=value'
      | time.cfl
      | ^~~~~~~~
      = for example time.cfl=0.3 or mesh.cells=[64,64,1]
)"},

{"an override without a value",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{"time.cfl="},
R"(override 'time.cfl=': error: 'time.cfl' takes a number, not nothing
      | time.cfl=
      |          ^
      = Courant number: dt = cfl / max over cells of sum_d ((|u_d| + c) / dx_d + K D / dx_d^2), D the larger of 4/3 viscosity / density and the diffusivity of heat, K = 2, or 8/3 for viscous_order 4 (default 0.4)
)"},

{"an override that is not YAML",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{"title=[a"},
R"(override 'title=[a': error: not valid YAML: a '[' is not closed, or a ',' is missing
      | title=[a
      |       ^
)"},

{"an override inside a list",
R"(case: {name: riemann}
mesh: {cells: [64, 1, 1]}
time: {end: 0.2}
)",
{"mesh.cells.0=3"},
R"(override 'mesh.cells.0=3': error: 'mesh.cells' takes a list of 3 integers, each from 1 to 1048576, not a block
      | mesh.cells.0=3
      |            ^
      = cells along x, y and z; an axis with 1 cell is not swept
)"},

{"mistakes in deck and overrides, in their order",
R"(time: {end: x}
case: {nam: riemann}
mesh: {cells: [64, 1, 1]}
)",
{"gas.gamma=0", "gas.gama=0"},
R"(deck.yaml:1:13: error: 'time.end' takes a number, not 'x'
    1 | time: {end: x}
      |             ^
      = when the run ends; it starts at time 0
deck.yaml:2:1: error: missing 'case.name': the flow to be computed
    2 | case: {nam: riemann}
      | ^~~~
      = 'case.name' takes <cases>
deck.yaml:2:8: error: unknown key 'nam' in 'case'; did you mean 'name'?
    2 | case: {nam: riemann}
      |        ^~~
      = the keys of 'case': name
override 'gas.gamma=0': error: 'gas.gamma' must be greater than 1, not 0
      | gas.gamma=0
      |           ^
      = ratio of specific heats of the ideal gas (default 1.4)
override 'gas.gama=0': error: unknown key 'gama' in 'gas'; did you mean 'gamma'?
      | gas.gama=0
      |     ^~~~
      = the keys of 'gas': gamma, viscosity, prandtl, viscosity_law, reference_temperature, sutherland_temperature
)"},

};
// clang-format on

std::string with_case_names(std::string text) {
  std::vector<std::string> names;
  for (const CaseInfo& info : cases()) names.push_back(info.name);
  for (std::size_t at; (at = text.find("<cases>")) != std::string::npos;)
    text.replace(at, 7, alternatives(names));
  return text;
}

/// What parse_deck() says of a deck; empty if it has no objection.
std::string objection(const std::string& deck, const std::vector<std::string>& overrides = {}) {
  try {
    parse_deck(deck, "deck.yaml", overrides);
    return "";
  } catch (const DeckError& e) {
    return e.what() + std::string("\n");
  }
}

std::string refusal_to_load(const std::string& path) {
  try {
    load_deck(path);
    return "";
  } catch (const DeckError& e) {
    return e.what();
  }
}

TEST_CASE("every mistake in a deck is reported at its place, with the source line, a caret and a remedy") {
  for (const BadDeck& bad : kBadDecks) {
    CAPTURE(bad.mistake);
    CHECK(objection(bad.deck, bad.overrides) == with_case_names(bad.message));
  }
}

TEST_CASE("all the mistakes of a deck are reported at once, in the order of their places") {
  const std::string deck = R"(title: [many]
scheme: {riemann: hlcc, limitr: mc}
mesh: {cells: [64, 1, 1], lower: [0, 0], boundary: {x: [periodic, outflow]}}
time:
  end: 0
  cfl: 0.3
  cfl: 0.4
case: {name: riemann, left: {density: 0}}
)";
  std::vector<std::string> places;
  try {
    parse_deck(deck, "deck.yaml", {"gas.gamma=0.5"});
  } catch (const DeckError& e) {
    for (const Diagnostic& d : e.diagnostics) places.push_back(d.where);
  }
  const std::vector<std::string> expected = {"deck.yaml:1:8",  "deck.yaml:2:19", "deck.yaml:2:25",
                                             "deck.yaml:3:34", "deck.yaml:3:67", "deck.yaml:5:8",
                                             "deck.yaml:7:3",  "deck.yaml:8:39", "override 'gas.gamma=0.5'"};
  CHECK(places == expected);
}

TEST_CASE("a thousand errors are shown and the rest is counted") {
  std::string deck;
  for (int i = 0; i < 1200; ++i) deck += "wrong" + std::to_string(i) + ": 1\n";
  try {
    parse_deck(deck, "deck.yaml");
    FAIL("accepted");
  } catch (const DeckError& e) {
    REQUIRE(e.diagnostics.size() == 1001);
    CHECK(e.diagnostics.back().message == "203 more errors are not shown");  // three keys are missing, too
  }
}

TEST_CASE("a deck nested without end is refused") {
  CHECK(objection(std::string(100000, '[')).find("nested too deeply") != std::string::npos);
}

TEST_CASE("a long line is cut to a window around the caret") {
  const std::string message =
      objection("title: x\n" + std::string(300, ' ') + "wrong: [" + std::string(300, 'y') + "]\n");
  REQUIRE_FALSE(message.empty());
  std::size_t longest = 0, start = 0;
  for (std::size_t end; (end = message.find('\n', start)) != std::string::npos; start = end + 1)
    longest = std::max(longest, end - start);
  CHECK(longest < 150);
}

TEST_CASE("a deck that cannot be read is refused with its name") {
  namespace fs = std::filesystem;
  const fs::path directory = fs::temp_directory_path() / "halfstep_test_deck_errors";
  fs::create_directories(directory);
  std::ofstream(directory / "sod.yaml") << "title: Sod\n";
  const std::string path = (directory / "sod.yaml").string();

  CHECK(refusal_to_load((directory / "sof.yaml").string()) ==
        (directory / "sof.yaml").string() + ": error: no such file; did you mean '" + path + "'?");
  CHECK(refusal_to_load("nowhere/at/all.yaml") == "nowhere/at/all.yaml: error: no such file");
  CHECK(refusal_to_load(directory.string()) ==
        directory.string() + ": error: this is a directory, not a deck");

  // A sparse file: 100 MB that are refused after the first one.
  fs::resize_file(path, 100'000'000);
  CHECK(refusal_to_load(path) == path +
                                     ": error: larger than 1 MiB: this is not a deck\n"
                                     "      = a deck is the YAML file that describes a run");
  fs::remove_all(directory);
}

TEST_CASE("colour marks the error and nothing else changes") {
  const Diagnostic d{.where = "deck.yaml:1:3",
                     .message = "wrong",
                     .help = "right",
                     .line_number = 1,
                     .excerpt = "a: b",
                     .caret = 3};
  std::string coloured = render(d, true);
  CHECK(coloured.find("\033[1;31merror:\033[0m") != std::string::npos);
  for (std::size_t at; (at = coloured.find('\033')) != std::string::npos;)
    coloured.erase(at, coloured.find('m', at) - at + 1);
  CHECK(coloured == render(d, false));
}

}  // namespace
