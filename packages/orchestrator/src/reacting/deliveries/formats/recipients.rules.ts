// Who has a message by now is known by who it is, not by the place in a list: the block may be
// changed between two attempts.

import { createHash } from "node:crypto";
import type { DeliveryPart } from "@orchestrator/contract";
import type { Outgoing } from "./format.rules.ts";

const MARK_LENGTH = 16;

/** Tells the recipients of one message apart, and not who they are. */
export function recipientDigest(id: string, recipient: string): string {
  return createHash("sha256").update(`${id} ${recipient}`).digest("hex").slice(0, MARK_LENGTH);
}

const recipientOf = (one: Outgoing): string =>
  one.transport === "smtp" ? one.to : (one.recipient ?? "");

export const recipientDigests = (id: string, outgoing: readonly Outgoing[]): string[] =>
  outgoing.map((one) => recipientDigest(id, recipientOf(one)));

/** What the copy of one among all recipients is known by, at every attempt. */
export const recipientKeyOf = (id: string, one: Outgoing, all: readonly Outgoing[]): string =>
  all.length === 1 ? id : `${id}-${recipientDigest(id, recipientOf(one))}`;

export interface KnownParts {
  readonly parts: readonly DeliveryPart[];
  /** Whose they are; null where nobody has written it down, and the order is all there is. */
  readonly marks: readonly string[] | null;
}

/** What is known of each recipient; nothing of those that were not there before. */
export function partsFor(marks: readonly string[], known: KnownParts): DeliveryPart[] {
  const rest = (known.marks ?? marks).map((mark, index) => ({ mark, part: known.parts[index] }));
  return marks.map((mark) => {
    const at = rest.findIndex((one) => one.mark === mark);
    const [found] = at < 0 ? [] : rest.splice(at, 1);
    return found?.part ?? "pending";
  });
}

export const isSameOrder = (marks: readonly string[], others: readonly string[] | null): boolean =>
  others !== null && JSON.stringify(marks) === JSON.stringify(others);
