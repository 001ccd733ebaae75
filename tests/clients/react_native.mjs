// Makes `fetch` as React Native's is: a response comes when its body has ended, has no stream of it, and its signal
// cannot throw. Streams cannot be made from text either.

export function asReactNative() {
  const { fetch } = globalThis;
  globalThis.fetch = async (...request) => {
    const response = await fetch(...request);
    const text = await response.text();
    const { ok, status, headers } = response;
    return { ok, status, headers, text: async () => text, json: async () => JSON.parse(text) };
  };
  delete Response.prototype.body;
  delete AbortSignal.prototype.throwIfAborted;
  delete globalThis.TextDecoderStream;
}
