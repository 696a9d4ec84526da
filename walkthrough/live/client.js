// What the page asks the engine: requests go to a worker one after the other, answers come back as
// promises.
'use strict';

// The bytes that the bundling put into the page under this name: gzip in base64.
async function bundled(name) {
  const packed = byId(`data-${name}`)?.textContent.trim();
  if (!packed) return null;
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

// An engine in a worker of its own, once it has started: {send(message), stop()}. print gets what a program
// of Grow prints.
async function newEngine(print) {
  const source = new Blob([byId('worker-source').textContent], {type: 'text/javascript'});
  const worker = new Worker(URL.createObjectURL(source)), waiting = new Map();
  let next = 1;
  worker.onmessage = ({data}) => {
    if (data.printed) return void print(data.printed);
    const {resolve, reject} = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.response.error) reject(new Error(data.response.error));
    else resolve(data.response);
  };
  worker.onerror = (event) => {
    for (const {reject} of waiting.values()) reject(new Error(event.message));
    waiting.clear();
  };
  const send = (message, transfer = []) => new Promise((resolve, reject) => {
    const id = next++;
    waiting.set(id, {resolve, reject});
    worker.postMessage({id, ...message}, transfer);
  });
  const wasm = await bundled('engine');
  await send({wasm: wasm ?? new Uint8Array()});
  return {send, stop: () => worker.terminate()};
}

let client = null;  // the engine that all but Grow asks
const startEngine = async () => { client = await newEngine(); };

// The engine's answer to a request. Rejects with an Error that says what was wrong.
const call = (request) => client.send({request});

// Gives the engine a file, which load then knows by this name.
const giveFile = (file, bytes) => client.send({file, bytes}, [bytes.buffer]);
