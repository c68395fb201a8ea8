// What runs are called and told apart by comes from templates and parameters, and a run whose name
// was refused would stay as it is: such texts are cut. They stand in indexes, whose entries
// PostgreSQL bounds to 2,704 bytes in all.

import { createHash } from "node:crypto";
import { LONG } from "@orchestrator/contract";
import { takesAtMost, wellFormed } from "@orchestrator/exact-json";
import { withoutMiddle } from "./without-middle.ts";

const MAX_STATE_NAME = 255;
const KEPT_OF_KEY = 300;
const MAX_BYTES_PER_UNIT = 3;

/** The name of a run: of a long one the beginning and the end. */
export function runName(name: string): string {
  if (isWithin(name, LONG)) return name;
  const short = withoutMiddle(name, LONG.maxLength);
  return takesAtMost(short, LONG.maxBytes)
    ? short
    : withoutMiddle(name, Math.floor(LONG.maxBytes / MAX_BYTES_PER_UNIT));
}

export function stateName(name: string): string {
  return hasAtMost(name, MAX_STATE_NAME) ? name : withoutMiddle(name, MAX_STATE_NAME);
}

/**
 * A key that tells runs or results apart: of a long one the beginning and a digest of all of it, so
 * that equal keys stay equal and others do not.
 */
export function runKey(key: string): string {
  return takesAtMost(key, LONG.maxBytes) ? key : digested(key);
}

/** The same for what tells task runs apart: two such keys stand in one entry. */
export function taskKey(key: string): string {
  return takesAtMost(key, LONG.maxBytes / 2) ? key : digested(key);
}

/** A tag that cannot be refused any more. It is looked for like a key, so it is cut like one. */
export function runTag(tag: string): string {
  return isWithin(tag, LONG) ? tag : digested(tag);
}

/**
 * How a text that is cut in this way may stand in the database. Earlier, only characters were
 * counted, and what takes many bytes was kept as it is where the database could: so it is looked
 * for in both forms, the cut one first.
 */
export function formsOf(cut: (text: string) => string): (text: string) => readonly string[] {
  return (text) => [...new Set([cut(text), text])];
}

function digested(key: string): string {
  const digest = createHash("sha256").update(key).digest("hex");
  return wellFormed(`${key.slice(0, KEPT_OF_KEY)}...${digest}`);
}

function isWithin(text: string, { maxLength, maxBytes }: typeof LONG): boolean {
  return takesAtMost(text, maxBytes) && hasAtMost(text, maxLength);
}

/** Characters as the contract counts them: some are two units long. */
function hasAtMost(text: string, characters: number): boolean {
  if (text.length <= characters) return true;
  return text.length <= 2 * characters && Array.from(text).length <= characters;
}
