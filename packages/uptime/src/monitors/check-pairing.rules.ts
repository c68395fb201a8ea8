// Which stored check a check that is sent back stands for, so that its masks keep its own secrets
// and those of no other.

import { isSameJson } from "@orchestrator/exact-json";
import type { CheckConfig } from "../checks/registry.ts";

/** A check that has secrets, with masks in their places. */
export interface PlacedCheck {
  /** `instance`, `http#2`. */
  readonly place: string;
  readonly check: CheckConfig;
  /** Whether it is to keep a secret. */
  readonly isKeeping: boolean;
}

/**
 * By the place of a check that is sent: that of the stored one, or null when it cannot be told
 * which one it is.
 */
export type StoredCheckPairs = ReadonlyMap<string, string | null>;

/**
 * Checks may be moved, changed, added and taken out at once. Each stands for the stored one of its
 * type that is the same but for the secrets; else for the one that it has the most in common with,
 * where there is no doubt.
 */
export function pairChecks(
  sent: readonly PlacedCheck[],
  stored: readonly PlacedCheck[],
): StoredCheckPairs {
  const types = new Set(sent.map(({ check }) => check.type));
  const ofType = (all: readonly PlacedCheck[], type: string): PlacedCheck[] =>
    all.filter(({ check }) => check.type === type);
  return new Map(
    [...types].flatMap((type) => [...pairs(ofType(sent, type), ofType(stored, type))]),
  );
}

function pairs(sent: readonly PlacedCheck[], stored: readonly PlacedCheck[]): StoredCheckPairs {
  const found = new Map<string, string | null>();
  const free = new Set(stored);
  for (const one of sent) {
    if (found.has(one.place)) continue;
    const same = stored.filter((each) => isSameJson(each.check, one.check));
    const twins = sent.filter((each) => isSameJson(each.check, one.check));
    // Which of those that look the same was taken out cannot be told.
    if (same.length === 0 || same.length > twins.length) continue;
    for (const [n, twin] of twins.entries()) found.set(twin.place, same[n]?.place ?? null);
    for (const each of same) free.delete(each);
  }
  if (free.size === 0) return found;
  const left = sent.filter(({ place, isKeeping }) => isKeeping && !found.has(place));
  const nearest = left.map((one) => nearestOf(one, [...free]));
  for (const [n, one] of left.entries()) {
    const own = nearest[n] ?? null;
    const isContested = nearest.filter((each) => each === own).length > 1;
    found.set(one.place, own === null || isContested ? null : own.place);
  }
  return found;
}

/** The one that has in common with it all that any other has, and more. */
function nearestOf(one: PlacedCheck, all: readonly PlacedCheck[]): PlacedCheck | null {
  // What both leave out they have in common as well.
  const options = new Set([one, ...all].flatMap(({ check }) => Object.keys(check)));
  const common = new Map(
    all.map((each) => [each, [...options].filter((option) => isSameIn(option, one, each))]),
  );
  const isNearer = (near: PlacedCheck, far: PlacedCheck): boolean => {
    const [more = [], less = []] = [common.get(near), common.get(far)];
    return more.length > less.length && less.every((option) => more.includes(option));
  };
  const isNearest = (each: PlacedCheck): boolean =>
    all.every((other) => other === each || isNearer(each, other));
  return all.find(isNearest) ?? null;
}

function isSameIn(option: string, ...checks: readonly [PlacedCheck, PlacedCheck]): boolean {
  const [one, other] = checks.map(({ check }) => new Map<string, unknown>(Object.entries(check)));
  return isSameJson(one?.get(option), other?.get(option));
}
