// SPDX-License-Identifier: Apache-2.0
// read_chrome.mjs FILE.json.gz: how many events Chrome's own trace engine has of it.
import fs from 'node:fs';
import zlib from 'node:zlib';
globalThis.window = globalThis;
globalThis.DOMRect = class { static fromRect() { return new DOMRect(); } };
const Trace = await import('@paulirish/trace_engine');
const events = JSON.parse(zlib.gunzipSync(fs.readFileSync(process.argv[2]))).traceEvents;
const processor = Trace.Processor.TraceProcessor.createWithAllHandlers();
await processor.parse(events, {});
let count = 0;
for (const process of (processor.data ?? processor.parsedTrace).Renderer.processes.values())
  for (const thread of process.threads.values())
    count += thread.entries.length;
console.log(count);
