import { quoteShortened } from "./schedule-error.ts";

const LONGEST_NAME = 64;
const SHAPE = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z0-9][A-Za-z0-9_+-]*)*$/;

/** Names that Intl still takes from old Java versions; the zone database has none of them. */
const NOT_ZONES = new Set(
  "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST".split(
    " ",
  ),
);

const FARTHEST_SUGGESTION = 2;

/** Whether a name may be asked of Intl at all, which also takes names of its own. */
export function isZoneNameShape(name: string): boolean {
  if (name.length > LONGEST_NAME || !SHAPE.test(name)) return false;
  return !NOT_ZONES.has(name) && !name.startsWith("SystemV/");
}

export function unknownZone(name: string): string {
  const near = suggestZone(name);
  const hint = near === null ? "." : `; did you mean ${quoteShortened(near)}?`;
  return `${quoteShortened(name)} is not a time zone of the IANA database${hint}`;
}

/** Names it could have been meant to be; old ones that Intl no longer lists are not suggested. */
function suggestZone(name: string): string | null {
  if (name.length > LONGEST_NAME) return null;
  const wanted = name.trim().toLowerCase().replaceAll(" ", "_");
  const zones = [...Intl.supportedValuesOf("timeZone"), "UTC"];
  const isMeant = (zone: string) =>
    zone.toLowerCase() === wanted || zone.toLowerCase().endsWith(`/${wanted}`);
  const meant = zones.find(isMeant);
  if (meant !== undefined) return meant;
  let nearest: string | null = null;
  let distance = FARTHEST_SUGGESTION + 1;
  for (const zone of zones) {
    if (Math.abs(zone.length - wanted.length) >= distance) continue;
    const found = editDistance(zone.toLowerCase(), wanted);
    if (found < distance) [nearest, distance] = [zone, found];
  }
  return nearest;
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const replaced = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
