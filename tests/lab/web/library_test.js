// The library's own tests under WebAssembly, in node: all but those of tests/lab/web/not_in_node.txt,
// each of which has to be the name of a test.
//
//     node tests/lab/web/library_test.js build/web-tests/tests/attention_tests.js \
//       build/web-tests/tests/attention_lab_tests.js
"use strict";
const fs = require("fs");
const path = require("path");
const { spawnSync } = require("child_process");

const programs = process.argv.slice(2).map((name) => path.resolve(name));
const excluded = fs.readFileSync(path.join(__dirname, "not_in_node.txt"), "utf8").split("\n")
  .filter((line) => line && !line.startsWith("#"));
// To doctest a comma separates two patterns; any character matches a question mark.
const patterns = excluded.map((name) => name.replace(/,/g, "?")).join(",");

// Emscripten 3.1.6 would fetch the program from a web server wherever there is fetch.
function run(program, args, stdio) {
  const result = spawnSync(process.execPath, ["--no-experimental-fetch", program, ...args],
    { stdio, maxBuffer: 1 << 28 });
  if (result.error) throw result.error;
  return result;
}

const listed = programs.flatMap((program) =>
  run(program, ["--list-test-cases", "--no-colors=true"]).stdout.toString().split("\n"));
const unknown = excluded.filter((name) => !listed.includes(name));
if (listed.length < 2 || unknown.length > 0) {
  console.error(`tests/lab/web/not_in_node.txt names no test of the programs:\n${unknown.join("\n")}`);
  process.exit(1);
}
const failed = programs.filter((program) =>
  run(program, [`--test-case-exclude=${patterns}`], "inherit").status !== 0);
process.exit(failed.length > 0 ? 1 : 0);
