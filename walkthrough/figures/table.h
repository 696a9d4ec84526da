// Tables of data/measurements: tab-separated, a header, comments that begin with #.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace attn::walkthrough {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::map<std::string, std::string>> rows;  // by column

  // The rows in which the column has this value. Throws Error if none has.
  Table where(const std::string& column, const std::string& value) const;
};

// The table MEASUREMENTS/name.tsv. Throws Error if it cannot be read or a row has not as many cells
// as the header.
Table read_table(const std::string& measurements, const std::string& name);

// A cell as a number; NaN if it is a dash. Throws Error if it is neither.
double number_in(const std::map<std::string, std::string>& row, const std::string& column);

}  // namespace attn::walkthrough
