// The engine of the live page, in node, against the program with portable kernels: they compute the
// same, bit for bit.
//
//     node tests/lab/web/engine_test.js build/attention walkthrough/live.html
//     node tests/lab/web/engine_test.js build/attention build/web/src/lab/web/engine.wasm
"use strict";
const assert = require("assert");
const fs = require("fs");
const os = require("os");
const path = require("path");
const zlib = require("zlib");
const { execFileSync } = require("child_process");
const root = path.join(__dirname, "../../..");
const { createEngine } = require(path.join(root, "walkthrough/live/engine.js"));

const [program, file] = process.argv.slice(2).map((name) => path.resolve(name));

// The bytes of the engine, those in a page included.
function engineIn(name) {
  const bytes = fs.readFileSync(name);
  if (!name.endsWith(".html")) return bytes;
  const data = bytes.toString().match(/id="data-engine">([^<]+)</)[1];
  return zlib.gunzipSync(Buffer.from(data, "base64"));
}

function attention(...args) {
  const env = { ...process.env, ATTENTION_ISA: "portable" };
  return execFileSync(program, args, { env, maxBuffer: 1 << 28 }).toString();
}

// base/random.h's hash and mix, on 64 bits.
const bits = (n) => BigInt.asUintN(64, n);
function mix(a, b) {
  let z = bits(a + 0x9E3779B97F4A7C15n * (b + 1n));
  z = bits((z ^ (z >> 30n)) * 0xBF58476D1CE4E5B9n);
  z = bits((z ^ (z >> 27n)) * 0x94D049BB133111EBn);
  return z ^ (z >> 31n);
}
function hash(bytes) {
  let h = 0xCBF29CE484222325n;
  for (const byte of bytes) h = bits((h ^ BigInt(byte)) * 0x100000001B3n);
  return mix(h, 0n);
}

// What the engine says of weights, of those in a run's training.safetensors.
function hashOfRun(directory) {
  const bytes = fs.readFileSync(path.join(directory, "training.safetensors"));
  const size = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.subarray(8, 8 + size));
  const names = Object.keys(header).filter((name) => /^(embedding|encoder|decoder)\./.test(name));
  names.sort((a, b) => header[a].data_offsets[0] - header[b].data_offsets[0]);
  let all = 0n;
  for (const name of names) {
    const [begin, end] = header[name].data_offsets;
    all = mix(all, hash(Buffer.from(name)));
    all = mix(all, hash(bytes.subarray(8 + size + begin, 8 + size + end)));
  }
  return all.toString(16).padStart(16, "0");
}

// Trains with the program, in a directory that is there while use(directory) runs.
function withRun(args, use) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "attention-engine-"));
  try {
    attention("train", ...args, "--seed", "7", "--out", directory + "/run", "--quiet");
    return use(directory + "/run");
  } finally {
    fs.rmSync(directory, { recursive: true });
  }
}

// The weights and the validation are those of the run.
function sameAsRun(engine, model, run) {
  assert.strictEqual(ask(engine, { op: "weights", model }).hash, hashOfRun(run));
  // The log's lines are step, loss … validation loss; the last is of the last step.
  const lines = fs.readFileSync(path.join(run, "log.tsv"), "utf8").trim().split("\n");
  const names = lines[0].split("\t"), last = lines[lines.length - 1].split("\t");
  const logged = Number(last[names.indexOf("validation_loss")]);
  const { loss } = ask(engine, { op: "validate", model });
  assert.ok(Math.abs(loss - logged) < 1e-4, `validation: ${loss}, logged: ${logged}`);
}

const optionsOf = (settings) =>
  Object.entries(settings).flatMap(([name, value]) => ["--" + name.replaceAll("_", "-"), String(value)]);

function trainsAsTheProgramDoes(engine) {
  for (const settings of [{}, { architecture: "decoder", positions: "rotary" }]) {
    withRun(["copy", "--steps", "50", ...optionsOf(settings)], (run) => {
      const { model } = ask(engine, { op: "make", task: "copy", settings: { seed: 7, ...settings } });
      ask(engine, { op: "step", model, count: 50 });
      sameAsRun(engine, model, run);
      const seen = JSON.parse(attention("attend", "--model", run, "--json", "h e l l o", "h e l l o"));
      const { maps } = ask(engine, { op: "attend", model, source: "h e l l o", target: "h e l l o" });
      for (const { kind, layer, head, weights } of maps) {
        const part = kind === "cross" ? "cross_attention" : "self_attention";
        const name = `${kind === "encoder" ? "encoder" : "decoder"}.${layer}.${part}.heads.${head}.P`;
        assert.deepStrictEqual(weights, seen[name].data.flat(), name);
      }
    });
  }
}

// A language model: what it learns, expects and draws.
function writesAsTheProgramDoes(engine) {
  const file = path.join(root, "data/phrasebook/test.target"), text = fs.readFileSync(file, "utf8");
  const settings = { layers: 1, d_model: 64, heads: 4, d_ff: 256, warmup: 50, batch_tokens: 512, context: 32 };
  withRun(["language", "--text", file, "--tokenizer", "words", "--steps", "60", ...optionsOf(settings)], (run) => {
    const { model } = ask(engine, { op: "make", task: "language", text, settings: { seed: 7, ...settings } });
    ask(engine, { op: "step", model, count: 60 });
    sameAsRun(engine, model, run);
    engine.file("w", fs.readFileSync(path.join(run, "model.safetensors")));
    engine.file("t", fs.readFileSync(path.join(run, "tokenizer.txt")));
    const loaded = ask(engine, { op: "load", model_file: "w", tokenizer_file: "t" });
    assert.strictEqual(loaded.context, 32);
    for (const [temperature, seed] of [[0, 1], [0.6, 2], [1, 3], [2, 4]]) {
      const prefix = [], words = ["the", "black"];
      for (let i = 0; i < 20; ++i) {
        const request = { op: "decode", source: "the black", prefix, temperature, seed };
        const answer = ask(engine, { model, ...request });
        assert.deepStrictEqual(ask(engine, { model: loaded.model, ...request }), answer);
        prefix.push(answer.drawn.id);
        words.push(answer.drawn.token);
      }
      const expected = attention("generate", "--model", run, "--prompt", "the black", "--tokens", "20",
        ...optionsOf({ temperature, seed }));
      const lines = words.join(" ").split("<eos>").map((line) => line.trim());
      assert.strictEqual(lines.join("\n").trim(), expected.trim());
    }
  });
}

function tracesAsTheProgramDoes(engine) {
  const { model } = ask(engine, { op: "load", builtin: "example" });
  ask(engine, { op: "trace", model });
  for (const options of [["--weights"], ["--backward"]]) {
    const { trace, ...values } = JSON.parse(attention("trace", "--json", ...options));
    for (const [name, expected] of Object.entries(values)) {
      const { data } = ask(engine, { op: "value", model, name });
      assert.deepStrictEqual(data, expected.data, name);
    }
  }
}

function translatesAsTheProgramDoes(engine) {
  const data = path.join(root, "data/phrasebook");
  engine.file("m", fs.readFileSync(path.join(data, "model.safetensors")));
  engine.file("t", fs.readFileSync(path.join(data, "tokenizer.txt")));
  const { model } = ask(engine, { op: "load", model_file: "m", tokenizer_file: "t" });
  const sources = fs.readFileSync(path.join(data, "test.source"), "utf8").split("\n").slice(0, 20);
  const all = path.join(os.tmpdir(), `attention-sources-${process.pid}`);
  fs.writeFileSync(all, sources.join("\n") + "\n");
  try {
    const env = { ...process.env, ATTENTION_ISA: "portable" };
    const expected = execFileSync(program, ["translate", "--model", data],
      { env, input: fs.readFileSync(all), stdio: ["pipe", "pipe", "ignore"] }).toString();
    const outputs = sources.map((source) => ask(engine, { op: "translate", model, source }).output);
    assert.strictEqual(outputs.join("\n") + "\n", expected);
  } finally {
    fs.rmSync(all);
  }
}

// What each program of walkthrough/grow prints, to the last character.
function growsAsTheProgramsDo(engine) {
  const files = fs.readdirSync(path.join(root, "walkthrough/grow")).filter((name) => /^\d\d-.*\.cpp$/.test(name));
  assert.strictEqual(files.length, 13);
  files.sort().forEach((name, i) => {
    const own = path.join(path.dirname(program), "walkthrough/grow/grow-" + name.replace(".cpp", ""));
    const task = ["copy", "reverse", "shuffle"][i % 3];
    const expected = execFileSync(own, [task, "--steps", "20", "--seed", "3"]).toString();
    printed = "";
    engine.grow({ program: i + 1, task, steps: 20, seed: 3 });
    assert.strictEqual(printed, expected, name);
  });
}

function survivesWhatIsWrong(engine) {
  for (const wrong of [{}, 3, null, { op: "make" }, { op: "step", model: 99 }, { op: "wrong" }]) {
    assert.ok(engine.call(wrong).error, JSON.stringify(wrong));
  }
  // A size here has 32 bits: what they cannot hold is refused, not cut off.
  for (const [shape, error] of [[[4294967298, 1], "a size of 4294967298 is more than 2147483647"],
    [[65536, 65536], "a tensor of 65536 x 65536 is too large"]]) {
    const header = JSON.stringify({ w: { dtype: "F32", shape, data_offsets: [0, 8] } });
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(header.length));
    engine.file("large", Buffer.concat([size, Buffer.from(header), Buffer.alloc(8)]));
    const answer = engine.call({ op: "load", model_file: "large", tokenizer_file: "t" });
    assert.ok(answer.error.includes(error), answer.error);
  }
  const bytes = fs.readFileSync(path.join(root, "data/phrasebook/model.safetensors"));
  engine.file("damaged", bytes.subarray(0, 5000));
  const answer = engine.call({ op: "load", model_file: "damaged", tokenizer_file: "t" });
  assert.ok(answer.error.startsWith("damaged: "), answer.error);
}

function ask(engine, request) {
  const answer = engine.call(request);
  assert.strictEqual(answer.error, undefined, answer.error);
  return answer;
}

const wasm = engineIn(file);
const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
console.log(`${wasm.length} bytes, imports: ${imports.map((one) => one.name).join(", ")}`);
let printed = "";
createEngine(wasm, (words) => { printed += words; }).then((engine) => {
  for (const test of [trainsAsTheProgramDoes, writesAsTheProgramDoes, tracesAsTheProgramDoes,
    translatesAsTheProgramDoes, growsAsTheProgramsDo, survivesWhatIsWrong]) {
    test(engine);
    console.log(test.name);
  }
}).catch((error) => {
  console.error(error);
  process.exit(1);
});
