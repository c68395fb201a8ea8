import { TemplateError } from "../template-error.ts";
import { filter } from "../values/arguments.ts";
import { findItems } from "../values/iterating.ts";
import { Dict, isText, SafeText, Undefined, type Value } from "../values/kinds.ts";
import { escaped, escapeHtml } from "../values/markup.ts";
import { withoutTags } from "../values/plain-text.ts";
import { printValue } from "../values/printing.ts";
import type { TemplateFilter } from "../values/run.ts";
import { isTrue } from "../values/truth.ts";

const escape = filter("", (_run, value) => escaped(value));
const forceescape = filter("", (_run, value) => new SafeText(escapeHtml(printValue(value))));

const striptags = filter("", (_run, value) => withoutTags(printValue(value)));

/** Signs that would end the name of an attribute. */
const NO_NAME = /[\s/>=]/;

const xmlattr = filter("autospace?", (run, value, [autospace = true]) => {
  if (!(value instanceof Dict)) throw new TemplateError("takes a dict");
  const pairs = value.entries().flatMap(([key, member]) => {
    if (member === null || member instanceof Undefined) return [];
    const name = printValue(key);
    if (NO_NAME.test(name))
      throw new TemplateError(`'${name.slice(0, 50)}' is no name of an attribute`);
    return [`${escaped(key).text}="${escaped(member).text}"`];
  });
  const text = pairs.join(" ");
  run.meter.spendText(text.length);
  return isTrue(autospace) && text !== "" ? ` ${text}` : text;
});

/** A text with its slashes, or pairs as the query of an address. */
const urlencode = filter("", (run, value) => {
  const pairs = isText(value) ? null : pairsIn(value);
  const text =
    pairs === null
      ? encoded(printValue(value)).replaceAll("%2F", "/")
      : pairs
          .map((pair) =>
            pair.map((part) => encoded(printValue(part)).replaceAll("%20", "+")).join("="),
          )
          .join("&");
  run.meter.spendText(text.length);
  return text;
});

function pairsIn(value: Value): (readonly Value[])[] | null {
  if (value instanceof Dict) return value.entries();
  const items = findItems(value);
  if (items === null) return null;
  return items.map((item) => {
    const pair = findItems(item);
    if (pair?.length !== 2) throw new TemplateError("takes a text, a dict, or pairs");
    return pair;
  });
}

function encoded(text: string): string {
  const plain = encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
  return plain.replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
}

export const HTML_FILTERS: Readonly<Record<string, TemplateFilter>> = {
  escape,
  e: escape,
  forceescape,
  striptags,
  xmlattr,
  urlencode,
};
