// The library, compiled to WebAssembly: createEngine(bytes of the .wasm, print) resolves to
//
//   call(request)      an object, to the engine's answer, an object (src/lab/web/README.md)
//   file(name, bytes)  hands over a file, a Uint8Array, for the engine to load
//   grow({program, task, steps, seed})  runs a program of walkthrough/grow; print gets its lines
//
// The same in a worker and in node. What follows is all that the library asks of its host.
"use strict";

function createEngine(wasm, print = () => {}) {
  let memory = null;  // of the instance
  const view = () => new DataView(memory.buffer);
  const text = new TextDecoder();

  // Only the programs of walkthrough/grow print. To the console goes a message before an abort.
  function write(fd, pieces, count, written) {
    let all = "", bytes = 0;
    for (let i = 0; i < count; ++i) {
      const begin = view().getUint32(pieces + 8 * i, true);
      const size = view().getUint32(pieces + 8 * i + 4, true);
      all += text.decode(new Uint8Array(memory.buffer, begin, size));
      bytes += size;
    }
    if (fd === 1) print(all);
    else if (all.trim() !== "") console.error(all.trimEnd());
    view().setUint32(written, bytes, true);
    return 0;
  }
  const badFile = () => 8;  // there are no files but the three standard ones
  const host = {
    fd_write: write,
    fd_read: badFile,
    fd_close: badFile,
    fd_seek: badFile,
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    clock_time_get(clock, precision, time) {
      view().setBigUint64(time, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    proc_exit(code) {
      throw new Error("the engine ended with code " + code);
    },
    emscripten_notify_memory_growth() {},
  };

  // Gives every import of the module by its name.
  function importsOf(module) {
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      // What the engine never calls, such as starting a thread or reading a directory.
      const missing = () => { throw new Error("the engine asked for " + name); };
      (imports[from] ??= {})[name] = host[name] ?? missing;
    }
    return imports;
  }

  return WebAssembly.compile(wasm)
    .then((module) => WebAssembly.instantiate(module, importsOf(module)))
    .then((instance) => {
      const engine = instance.exports;
      memory = engine.memory;
      engine._initialize?.();

      // Runs use(address) with the bytes, and a NUL after them, in the engine's memory.
      function within(bytes, use) {
        const address = engine.engine_allocate(bytes.length + 1);
        if (address === 0) throw new Error("the engine has no memory left");
        try {
          const copy = new Uint8Array(memory.buffer, address, bytes.length + 1);
          copy.set(bytes);
          copy[bytes.length] = 0;
          return use(address);
        } finally {
          engine.engine_release(address);
        }
      }
      function stringAt(address) {
        const bytes = new Uint8Array(memory.buffer, address);
        return text.decode(bytes.subarray(0, bytes.indexOf(0)));
      }
      const encode = (string) => new TextEncoder().encode(string);
      return {
        call: (request) => JSON.parse(
          within(encode(JSON.stringify(request)), (at) => stringAt(engine.engine_call(at)))),
        file(name, bytes) {
          const kept = within(encode(name), (at) => within(bytes, (data) =>
            engine.engine_file(at, data, bytes.length)));
          if (kept === 0) throw new Error("the engine has no memory for " + name);
        },
        grow({ program, task, steps, seed }) {
          engine.grow_run(program, ["copy", "reverse", "shuffle"].indexOf(task), steps, seed);
        },
      };
    });
}

if (typeof module !== "undefined") module.exports = { createEngine };
