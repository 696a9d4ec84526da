#include "table.h"

#include <cstdlib>
#include <limits>

#include "base/check.h"
#include "text/lines.h"

namespace attn::walkthrough {

namespace {

const std::string& cell_of(const std::map<std::string, std::string>& row,
                           const std::string& column) {
  const auto cell = row.find(column);
  ATTN_CHECK(cell != row.end(), "a table has no column '", column, "'");
  return cell->second;
}

}  // namespace

Table Table::where(const std::string& column, const std::string& value) const {
  Table result{columns, {}};
  for (const auto& row : rows) {
    if (cell_of(row, column) == value) result.rows.push_back(row);
  }
  ATTN_CHECK(!result.rows.empty(), "a table has no row whose ", column, " is '", value, "'");
  return result;
}

Table read_table(const std::string& measurements, const std::string& name) {
  const std::string path = measurements + "/" + name + ".tsv";
  Table table;
  for (const std::string& line : read_lines(path)) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> row = split(line, '\t');
    if (table.columns.empty()) {
      table.columns = row;
      continue;
    }
    ATTN_CHECK_EQ(row.size(), table.columns.size(), "cells of a row in " + path);
    table.rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) table.rows.back()[table.columns[i]] = row[i];
  }
  ATTN_CHECK(!table.rows.empty(), path, " has no rows");
  return table;
}

double number_in(const std::map<std::string, std::string>& row, const std::string& column) {
  const std::string& cell = cell_of(row, column);
  if (cell == "-") return std::numeric_limits<double>::quiet_NaN();
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  ATTN_CHECK(end != cell.c_str() && *end == '\0', "not a number: '", cell, "'");
  return value;
}

}  // namespace attn::walkthrough
