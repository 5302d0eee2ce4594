#include "app/run/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "app/base/readable_bytes.hpp"
#include "app/deck/field_names.hpp"
#include "app/output/cell_region.hpp"
#include "app/output/solid_fields.hpp"
#include "physics/curved/hexahedra_tables.hpp"
#include "physics/diagnostics/running_averages.hpp"
#include "physics/hexahedra/part_of_mesh.hpp"
#include "physics/rhs/fourth_order_flux.hpp"
#include "physics/rhs/rhs_of_cell.hpp"
#include "physics/solids/solid_cell.hpp"
#include "physics/stage/substeps.hpp"
#include "runtime/device/host_memory.hpp"

namespace halfstep {

namespace {

constexpr std::int64_t kDouble = sizeof(double);

void expect(std::int64_t needed, std::optional<std::int64_t> available, const char* where) {
  if (!available || needed <= *available) return;
  throw std::runtime_error(
      fmt::format("not enough {}: this run needs {}, and {} are available ({} and {} bytes); use fewer cells "
                  "or scheme.precision=single; 'halfstep check DECK' says what a run needs",
                  where, readable_bytes(needed), readable_bytes(*available), needed, *available));
}

/// Returns the most that a mesh of so many cells, or a block of it, can have of the bodies, in bytes.
std::int64_t bytes_of(const SolidCells& all, std::int64_t cells) {
  const std::int64_t near = std::min<std::int64_t>(std::ssize(all.near), cells);
  const std::int64_t deep = std::min<std::int64_t>(std::ssize(all.rim) + std::ssize(all.core), cells - near);
  std::int64_t faces = 0;
  for (const std::vector<SolidFace>& of_body : all.faces) faces += std::ssize(of_body);
  return near * std::int64_t{sizeof(SolidCell)} + deep * std::int64_t{sizeof(CellPlace)} +
         faces * std::int64_t{sizeof(SolidFace)} + cells * std::int64_t{all.uncorrected.empty() ? 1 : 2};
}

/// Returns the problem of the largest block, as far as its memory depends on it.
Problem largest_block(const Problem& problem, const exchange::Decomposition& cut) {
  Problem block = problem;
  block.mesh.cells = cut.largest();
  block.mesh.whole = cut.cells;
  if (cut.rows.empty()) return block;
  const auto size = [](const auto& rows) { return rows->own.size() + rows->near.size(); };
  const auto most = std::max_element(cut.rows.begin(), cut.rows.end(),
                                     [&](const auto& a, const auto& b) { return size(a) < size(b); });
  block.mesh = block_of(problem.mesh, cut.block(static_cast<int>(most - cut.rows.begin())));
  block.hexahedra = std::make_shared<const Hexahedra>(part_of(*problem.hexahedra, **most));
  return block;
}

/// Returns what all ranks of a machine have of bodies in main memory, beside the records of the host backend.
std::int64_t main_memory_of_solids(const MemoryNeed& whole, const MemoryNeed& block, bool cuda, int ranks,
                                   int ranks_there, bool dumps_are_gathered) {
  const std::int64_t fields =
      SolidFields::kBytesPerCell * (dumps_are_gathered ? whole.cells : ranks_there * block.cells);
  // Each of several ranks makes the records of its block from those of the whole mesh.
  const std::int64_t of_block = cuda ? block.solid_bytes : 0;
  return whole.solid_bytes == 0 ? 0
         : ranks == 1           ? of_block + fields
                                : ranks_there * (whole.solid_bytes + of_block) + fields;
}

}  // namespace

MemoryNeed memory_need(const Problem& problem) {
  const auto real_bytes = static_cast<std::int64_t>(bytes_of_real(problem.scheme.precision));
  const ExtendedRows rows(layout_of(problem));
  MemoryNeed need{.cells = problem.mesh.cell_count(),
                  .cells_with_ghosts = (rows.count + problem.mesh.rows_near()) * rows.length};
  need.buffers = TimeLevels{{problem.scheme.integrator, problem.source.active()}}.buffers();
  need.copy_bytes = problem.fields() * real_bytes * need.cells;
  need.state_bytes = need.buffers * problem.fields() * real_bytes * need.cells_with_ghosts;
  if (problem.starts_from_rhs_terms())
    need.terms_bytes = (problem.fields() + (problem.terms.viscous() ? kMotionFields : 0)) * real_bytes *
                       need.cells_with_ghosts;
  if (problem.has_hexahedra())
    need.element_bytes =
        bytes_of_hexahedra(*problem.hexahedra, problem.scheme.degree, problem.terms.viscous(), real_bytes);
  if (problem.has_fourth_order_flux())
    need.averages_bytes = kFlowFields * real_bytes * need.cells_with_ghosts;
  if (problem.has_sponges())
    need.sponge_bytes = problem.sponges->count() * static_cast<std::int64_t>(sizeof(SpongeCell));
  // The file has the mask and the distance, too.
  std::int64_t file = need.copy_bytes;
  if (problem.has_solids()) {
    need.solid_bytes = bytes_of(problem.solids->cells(), need.cells);
    file += std::ssize(kSolidFields) * real_bytes * need.cells;
  }
  // First a slab of the initial state; later the copy to be written and the file built from it.
  const std::int64_t slab = rows.in_slab(problem.fields()) * rows.length * problem.fields() * kDouble;
  need.host_bytes = std::max(slab, need.copy_bytes + file);
  return need;
}

OutputsMemory memory_of_outputs(const RunConfig& config) {
  const Problem& problem = config.problem;
  const auto real_bytes = static_cast<std::int64_t>(bytes_of_real(problem.scheme.precision));
  OutputsMemory all;
  for (const OutputRequest& request : config.output_requests) {
    if (!is_series(request.kind) && !takes_all_cells(request.kind)) continue;
    const CellRegion region = region_of(request, problem.mesh);
    const std::int64_t cells = region.cells();
    const std::int64_t read = request.has_gradients() ? region.cells_with_neighbours(problem.mesh) : cells;
    const auto fields =
        std::ssize(request.fields) + (request.mass_fractions ? std::ssize(problem.scalars) : 0);
    const auto names = fields + (problem.has_solids() ? std::ssize(kSolidFields) : 0);
    const auto stored = static_cast<std::int64_t>(bytes_of_real(request.precision));
    if (request.kind == OutputKind::averages) {
      const std::int64_t numbers = fields + (request.covariances ? fields * (fields + 1) / 2 : fields);
      all.sums += kDouble * cells * numbers;
      all.past_states = WeightedStates::kMost - TimeLevels{}.states;
      all.main += cells * numbers * (3 * kDouble + stored);  // two copies, the results and the file
      continue;
    }
    all.main += read * problem.fields() * (real_bytes + kDouble) + cells * names * (kDouble + stored);
    if (problem.has_solids()) all.main += cells * SolidFields::kBytesPerCell;
    if (request.has_gradients()) all.main += cells * CellValues::gradient_bytes(problem.mesh);
    if (request.kind == OutputKind::spectrum) all.main += 2 * kDouble * cells;
    all.device += read * (problem.fields() * real_bytes + kDouble);
  }
  return all;
}

RunMemory memory_of_run(const RunConfig& config, bool cuda) {
  return memory_of_block(config, cuda, {config.problem.mesh.cells, {1, 1, 1}, {}}, 1);
}

RunMemory memory_of_block(const RunConfig& config, bool cuda, const exchange::Decomposition& cut,
                          int ranks_there) {
  const Problem& problem = config.problem;
  const MemoryNeed need = memory_need(problem), own = memory_need(largest_block(problem, cut));
  const std::int64_t flags = 2 * own.cells, in_double = problem.fields() * kDouble * need.cells;
  const OutputsMemory outputs = memory_of_outputs(config);
  const std::int64_t averages = outputs.sums / need.cells * own.cells +
                                (cut.size() == 1 ? outputs.past_states * (own.state_bytes / own.buffers) : 0);
  // A checkpoint between two slices also has the states that its step works on, and the file another copy. Of
  // several ranks each has those of its block first, and the rest of a file beside its image.
  const auto states = [](const MemoryNeed& of) { return of.state_bytes / of.buffers * (of.buffers - 1); };
  const std::int64_t under_way = problem.slice_ms <= 0 ? 0
                                 : cut.size() == 1     ? 2 * states(need)
                                                       : 3 * states(need) + ranks_there * states(own);
  // The state and three differences, for the error norms at the end.
  const std::int64_t norms = config.has_exact(config.limits.end) ? in_double + 3 * kDouble * need.cells : 0;
  // Ranks write their own blocks, but compressed files, and the errors at the end, are the first rank's.
  const bool is_gathered = cut.size() == 1 || config.output.compress > 0 || config.checkpoint.compress > 0;
  const std::int64_t held = config.flow_case->bytes() + outputs.main + under_way +
                            main_memory_of_solids(need, own, cuda, cut.size(), ranks_there, is_gathered);
  if (cuda) {
    const std::int64_t files = is_gathered ? need.host_bytes : ranks_there * own.copy_bytes;
    const std::int64_t at_end = norms > 0 ? need.copy_bytes + norms : 0;
    return {.main = std::max({files, at_end, need.sponge_bytes}) + held,
            .device = own.state_bytes + own.terms_bytes + own.element_bytes + own.sponge_bytes +
                      own.solid_bytes + flags + own.copy_bytes + averages +
                      (cut.size() == 1 ? outputs.device : 0)};  // a rank may have none of their cells
  }
  // The host's copies are in double precision.
  const std::int64_t own_in_double = problem.fields() * kDouble * own.cells;
  const std::int64_t files =
      is_gathered ? std::max(need.host_bytes, in_double + need.copy_bytes) : ranks_there * own_in_double;
  const std::int64_t of_rank = own.state_bytes + own.terms_bytes + own.element_bytes + own.averages_bytes +
                               own.sponge_bytes + own.solid_bytes + flags + averages;
  return {.main = ranks_there * of_rank + std::max(files, norms) + held, .device = 0};
}

void expect_memory(const RunConfig& config, bool cuda, const exchange::Decomposition& cut, int ranks_there) {
  const RunMemory needed = memory_of_block(config, cuda, cut, ranks_there);
  if (cuda) expect(needed.device, cuda_free_bytes(), "memory on the device");
  expect(needed.main, available_main_memory(), "main memory");
}

}  // namespace halfstep
