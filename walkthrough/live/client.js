// What the page asks the engine: requests go to the worker one after the other, answers come back as
// promises.
'use strict';

class EngineError extends Error {}

const client = {worker: null, waiting: new Map(), next: 1};

// The bytes that the bundling put into the page under this name: gzip in base64.
async function bundled(name) {
  const packed = byId(`data-${name}`)?.textContent.trim();
  if (!packed) return null;
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

function send(message, transfer = []) {
  return new Promise((resolve, reject) => {
    const id = client.next++;
    client.waiting.set(id, {resolve, reject});
    client.worker.postMessage({id, ...message}, transfer);
  });
}

async function startEngine() {
  const source = new Blob([byId('worker-source').textContent], {type: 'text/javascript'});
  client.worker = new Worker(URL.createObjectURL(source));
  client.worker.onmessage = ({data}) => {
    const {resolve, reject} = client.waiting.get(data.id);
    client.waiting.delete(data.id);
    if (data.response.error) reject(new EngineError(data.response.error));
    else resolve(data.response);
  };
  client.worker.onerror = (event) => {
    for (const {reject} of client.waiting.values()) reject(new EngineError(event.message));
    client.waiting.clear();
  };
  const wasm = await bundled('engine');
  await send({wasm: wasm ?? new Uint8Array()});
}

// The engine's answer to a request. Rejects with an EngineError that says what was wrong.
const call = (request) => send({request});

// Gives the engine a file, which load then knows by this name.
const giveFile = (file, bytes) => send({file, bytes}, [bytes.buffer]);
