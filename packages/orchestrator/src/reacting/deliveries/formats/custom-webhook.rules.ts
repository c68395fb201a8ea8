import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { withoutFraction, writeJson } from "@orchestrator/exact-json";
import { withoutLoneSurrogates } from "../tidy-text.rules.ts";
import {
  BlockFault,
  blockText,
  type Format,
  type HttpOutgoing,
  type OutgoingNotice,
  optionalTextIn,
  textMapIn,
} from "./format.rules.ts";

const MAX_TIMEOUT_SECONDS = 25;
const DEFAULT_TIMEOUT_SECONDS = 10;

/**
 * A request that the block describes, with the notification and the block's secrets put into it.
 */
export const customWebhook: Format = {
  outgoing: (block, notice) => {
    const fill = filler(block, notice);
    const headers = fillAll(textMapIn(block, "headers"), fill);
    const cookies = Object.entries(fillAll(textMapIn(block, "cookies"), fill));
    if (cookies.length > 0)
      headers["cookie"] = cookies.map(([name, value]) => `${name}=${value}`).join("; ");
    return [
      {
        transport: "http",
        method: methodOf(block),
        url: urlOf(block, notice),
        ...withBody(block, headers, fill),
        timeoutMs: timeoutOf(block),
      },
    ];
  },
};

type Fill = (text: string) => string;

function filler(block: JsonObject, { subject, body }: OutgoingNotice): Fill {
  const values: Readonly<Record<string, string>> = {
    ...textMapIn(block, "secrets"),
    subject,
    body,
    name: optionalTextIn(block, "name") ?? "",
  };
  return (text) =>
    replaced(text, (name) => (Object.hasOwn(values, name) ? values[name] : undefined));
}

/** What a message says cannot change where it goes: it is put into an address as a value. */
function urlOf(block: JsonObject, { subject, body }: OutgoingNotice): string {
  const secrets = textMapIn(block, "secrets");
  const values: Readonly<Record<string, string>> = {
    ...secrets,
    subject: encodeURIComponent(withoutLoneSurrogates(subject)),
    body: encodeURIComponent(withoutLoneSurrogates(body)),
    name: encodeURIComponent(optionalTextIn(block, "name") ?? ""),
  };
  const text = replaced(blockText(block, "url"), (name) =>
    Object.hasOwn(values, name) ? values[name] : undefined,
  );
  if (!URL.canParse(text)) throw new BlockFault("The url of the block is no URL");
  const url = new URL(text);
  const fill = filler(block, { id: "", created: "", subject, body });
  const params = fillAll(textMapIn(block, "params"), fill);
  // They take the place of those in the address, as in the established server; with none given,
  // nothing is taken away.
  if (Object.keys(params).length > 0) url.search = new URLSearchParams(params).toString();
  return url.href;
}

function withBody(
  block: JsonObject,
  headers: Record<string, string>,
  fill: Fill,
): Pick<HttpOutgoing, "headers" | "body"> {
  const typed = (type: string) => {
    const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
    return isNamed ? headers : { ...headers, "content-type": type };
  };
  const json = block["json_data"];
  if (json !== null && json !== undefined)
    return { headers: typed("application/json"), body: writeJson(fillWithin(json, fill)) };
  const form = block["form_data"];
  if (form === null || form === undefined) return { headers, body: null };
  // A text is sent as it is, and its headers say what it is.
  if (typeof form === "string") return { headers, body: fill(form) };
  const fields = fillAll(textMapIn(block, "form_data"), fill);
  const body = new URLSearchParams(fields).toString();
  return { headers: typed("application/x-www-form-urlencoded"), body };
}

function fillWithin(value: JsonValue, fill: Fill): JsonValue {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => fillWithin(item, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [fill(name), fillWithin(member, fill)]),
  );
}

function fillAll(texts: Readonly<Record<string, string>>, fill: Fill): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));
}

/** Names that nothing is known of stay as they are. What was put in is not looked at again. */
function replaced(text: string, valueOf: (name: string) => string | undefined): string {
  return text.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (found, name: string) => valueOf(name) ?? found);
}

function methodOf(block: JsonObject): string {
  const method = (optionalTextIn(block, "method") ?? "POST").toUpperCase();
  if (!/^(?:POST|GET|PUT|PATCH|DELETE)$/.test(method))
    throw new BlockFault("The method of the block is not allowed");
  return method;
}

function timeoutOf(block: JsonObject): number {
  const timeout = withoutFraction(block["timeout"]);
  const seconds = typeof timeout === "number" && timeout > 0 ? timeout : DEFAULT_TIMEOUT_SECONDS;
  return Math.ceil(Math.min(seconds, MAX_TIMEOUT_SECONDS) * 1000);
}
