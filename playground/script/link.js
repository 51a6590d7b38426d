// What the page shows as the fragment of its address, and back.
//
// `#z` and what `deflate` makes of JSON, in the letters of base 64 that addresses need not escape; `#u` and the JSON
// itself where a browser cannot compress. A fragment is not sent to any server.

import { bytesOf } from "./elements.js";

/** A link that grows larger than this is none of ours. */
const MOST_BYTES = 1 << 22;

export async function toFragment(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  if (typeof CompressionStream === "undefined") return `u${letters(bytes)}`;
  return `z${letters(await through(bytes, new CompressionStream("deflate-raw")))}`;
}

/** The state of a fragment without its `#`; fails with an error in words. */
export async function fromFragment(fragment) {
  try {
    const bytes = fromLetters(fragment.slice(1));
    const kinds = { u: async () => bytes, z: () => through(bytes, new DecompressionStream("deflate-raw")) };
    const state = JSON.parse(new TextDecoder().decode(await kinds[fragment[0]]()));
    if (state === null || typeof state !== "object") throw new TypeError("no state");
    return state;
  } catch {
    throw new Error("this link is damaged: a part of it may be missing");
  }
}

async function through(bytes, change) {
  const reader = new Blob([bytes]).stream().pipeThrough(change).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MOST_BYTES) throw new RangeError("too large");
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function letters(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromLetters(letters) {
  return bytesOf(letters.replaceAll("-", "+").replaceAll("_", "/"));
}
