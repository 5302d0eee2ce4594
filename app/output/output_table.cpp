#include "app/output/output_table.hpp"

#include "app/output/number_table.hpp"
#include "app/output/probes_file.hpp"

namespace halfstep {

std::unique_ptr<OutputTable> open_table(const std::filesystem::path& directory, const OutputRequest& request,
                                        const std::vector<std::string>& fields, std::size_t places,
                                        std::optional<std::int64_t> step) {
  const std::filesystem::path file = directory / file_of_table(request);
  if (request.format == TableFormat::hdf5)
    return std::make_unique<NumberTable>(
        step ? NumberTable::resume(file, fields, places, request.precision, *step)
             : NumberTable(file, fields, places, request.precision));
  return std::make_unique<ProbesFile>(step
                                          ? ProbesFile::resume(file, fields, places, request.precision, *step)
                                          : ProbesFile(file, fields, places, request.precision));
}

}  // namespace halfstep
