// The engine's thread, so that the page never waits. The file engine.js stands before this one.
'use strict';

let engine = null;

self.onmessage = async ({data}) => {
  let response;
  try {
    if (data.wasm) {
      engine = await createEngine(data.wasm, (printed) => self.postMessage({printed}));
      response = {};
    } else if (data.file) {
      engine.file(data.file, data.bytes);
      response = {};
    } else if (data.grow) {
      engine.grow(data.grow);
      response = {};
    } else {
      response = engine.call(data.request);
    }
  } catch (error) {
    response = {error: `the engine stopped: ${error.message}`, stopped: true};
  }
  self.postMessage({id: data.id, response});
};
