// What the formats of notifications have in common.

import type { JsonObject } from "@orchestrator/contract";
import { withoutFraction, writeJson } from "@orchestrator/exact-json";
import type { Mail, MailServer, OutboundAnswer } from "@orchestrator/outbound";

/** A notification, ready to be put into a service's own form. */
export interface OutgoingNotice {
  readonly id: string;
  readonly created: string;
  readonly subject: string;
  readonly body: string;
}

export interface HttpOutgoing {
  readonly transport: "http";
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly verify?: boolean;
  readonly timeoutMs?: number;
  /** Whose copy this is, where the block may name several. */
  readonly recipient?: string;
}

export interface MailOutgoing {
  readonly transport: "smtp";
  readonly server: MailServer;
  readonly mail: Mail;
  /** Whose copy this is. */
  readonly to: string;
}

export type Outgoing = HttpOutgoing | MailOutgoing;

/** What an answer says beside its status. */
export interface AnswerAssessment {
  /** Why it is no success though its status says so; it is tried again. */
  readonly problem?: string;
  readonly retryAfterSeconds?: number;
}

export interface Format {
  /** One for each recipient, always in the same order. Throws `BlockFault`. */
  readonly outgoing: (block: JsonObject, notice: OutgoingNotice) => readonly Outgoing[];
  readonly judge?: (answer: OutboundAnswer) => AnswerAssessment;
}

/** The values of a block do not make a message. Its text names no value. */
export class BlockFault extends Error {
  override readonly name = "BlockFault";
}

export type Gravity = "info" | "success" | "warning" | "failure";

export function gravityOf(block: JsonObject): Gravity {
  const given = block["notify_type"];
  return given === "success" || given === "warning" || given === "failure" ? given : "info";
}

const COLOURS: Readonly<Record<Gravity, string>> = {
  info: "2f7fd6",
  success: "2e9e4f",
  warning: "d9a400",
  failure: "c9302c",
};
export const colourOf = (block: JsonObject): string => COLOURS[gravityOf(block)];

export function blockText(block: JsonObject, key: string): string {
  const value = optionalTextIn(block, key);
  if (value === null) throw new BlockFault(`The block has no ${key}`);
  return value;
}

export function optionalTextIn(block: JsonObject, key: string): string | null {
  const value = block[key];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

const MAX_RECIPIENTS = 100;

export function textsIn(block: JsonObject, key: string): string[] {
  const value = block[key];
  if (!Array.isArray(value)) return [];
  const texts = value.filter((item) => typeof item === "string" && item.trim() !== "") as string[];
  if (texts.length > MAX_RECIPIENTS)
    throw new BlockFault(`The block has more than ${MAX_RECIPIENTS} ${key}`);
  return texts.map((text) => text.trim());
}

export function someTextsIn(block: JsonObject, key: string): string[] {
  const texts = textsIn(block, key);
  if (texts.length === 0) throw new BlockFault(`The block has no ${key}`);
  return texts;
}

export function textMapIn(block: JsonObject, key: string): Record<string, string> {
  const value = block[key];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const pairs = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    pairs.map(([name, member]) => [name, typeof member === "string" ? member : writeJson(member)]),
  );
}

export function portIn(block: JsonObject, fallback: number): number {
  const value = withoutFraction(block["port"] ?? fallback);
  if (typeof value === "number" && Number.isInteger(value) && value > 0 && value < 65_536)
    return value;
  throw new BlockFault("The port of the block is no port");
}

export const flagIn = (block: JsonObject, key: string, fallback: boolean): boolean =>
  typeof block[key] === "boolean" ? block[key] : fallback;

/** A request with a JSON body. */
export function jsonPost(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpOutgoing {
  return {
    transport: "http",
    method: "POST",
    url,
    headers: { "content-type": "application/json", ...headers },
    body: writeJson(body),
  };
}

/** The members that have a value. */
export function given(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}
