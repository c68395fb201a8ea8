// Makes links of addresses in a text, word by word.

import { TemplateError } from "../template-error.ts";
import { filter, wholeArgument } from "../values/arguments.ts";
import { itemsOf } from "../values/iterating.ts";
import { escapeHtml } from "../values/markup.ts";
import { lengthOf, slicePoints } from "../values/points.ts";
import { printValue } from "../values/printing.ts";
import type { TemplateFilter } from "../values/run.ts";
import { isTrue } from "../values/truth.ts";

const PARTS = /^(?<scheme>https?:\/\/)?(?<host>[\p{L}\p{N}_%.-]+)(?::\d{1,5})?(?:[/?#]\S*)?$/iu;
const COMMON_END = /^(?:com|net|int|edu|gov|org|info|mil)$/i;
const ANY_END = /^(?:[a-z]{2,63}|xn--[\w%]{2,59})$/i;
const NUMBERS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const MAIL = /^\S+@\w[\w.-]*\.\w+$/;
const OPENING = ["(", "<", "&lt;"];
const CLOSING = [")", ">", ".", ",", "\n", "&gt;"];
const PAIRS = [
  ["(", ")"],
  ["<", ">"],
  ["&lt;", "&gt;"],
] as const;

interface Links {
  readonly most: number | null;
  readonly rel: string;
  readonly target: string;
  readonly schemes: readonly string[];
}

const urlize = filter(
  "trim_url_limit? nofollow? target? rel? extra_schemes?",
  (run, value, [most = null, nofollow = false, target = null, rel = null, extra = null]) => {
    const names = new Set([...(rel === null ? [] : printValue(rel).split(/\s+/)), "noopener"]);
    if (isTrue(nofollow)) names.add("nofollow");
    const schemes = extra === null ? [] : itemsOf(run, extra).map(printValue);
    for (const scheme of schemes)
      if (!/^[\w.+-]{1,50}:\/{0,2}$/.test(scheme))
        throw new TemplateError(`'${scheme}' is no scheme of an address`);
    const links: Links = {
      most: most === null ? null : wholeArgument(most, 0),
      rel: ` rel="${escapeHtml(
        [...names]
          .filter((name) => name !== "")
          .sort()
          .join(" "),
      )}"`,
      target: target === null ? "" : ` target="${escapeHtml(printValue(target))}"`,
      schemes,
    };
    const words = escapeHtml(printValue(value)).split(/(\s+)/);
    run.meter.spendItems(words.length);
    const parts = words.map((word) => linked(word, links));
    run.meter.spendText(parts.reduce((sum, part) => sum + part.length, 0));
    return parts.join("");
  },
);

function linked(word: string, links: Links): string {
  let [head, middle, tail] = ["", word, ""];
  for (let sign = startOf(middle); sign !== undefined; sign = startOf(middle)) {
    head += sign;
    middle = middle.slice(sign.length);
  }
  for (let sign = endOf(middle); sign !== undefined; sign = endOf(middle)) {
    tail = sign + tail;
    middle = middle.slice(0, -sign.length);
  }
  // A bracket that was opened within the address belongs to it.
  for (const [opening, closing] of PAIRS) {
    const open = middle.split(opening).length - 1;
    for (
      let closed = middle.split(closing).length - 1;
      closed < open && tail.includes(closing);
      closed += 1
    ) {
      const end = tail.indexOf(closing) + closing.length;
      middle += tail.slice(0, end);
      tail = tail.slice(end);
    }
  }
  return head + anchor(middle, links) + tail;
}

const startOf = (text: string): string | undefined => OPENING.find((sign) => text.startsWith(sign));
const endOf = (text: string): string | undefined => CLOSING.find((sign) => text.endsWith(sign));

function anchor(text: string, { most, rel, target, schemes }: Links): string {
  const shown = most !== null && lengthOf(text) > most ? `${slicePoints(text, 0, most)}...` : text;
  const to = (address: string): string => `<a href="${address}"${rel}${target}>${shown}</a>`;
  const kind = addressKind(text);
  if (kind !== null) return to(kind === "bare" ? `https://${text}` : text);
  const mail = text.replace(/^mailto:/i, "");
  if (mail.length < 1000 && MAIL.test(mail) && !mail.startsWith("www."))
    return `<a href="mailto:${mail}">${mail}</a>`;
  return schemes.some((scheme) => text.length > scheme.length && text.startsWith(scheme))
    ? to(text)
    : text;
}

/** Whether a word is an address of the web, and whether it says so itself. */
function addressKind(text: string): "whole" | "bare" | null {
  const { scheme, host = "" } = PARTS.exec(text)?.groups ?? {};
  const labels = host.split(".");
  const end = labels.at(-1) ?? "";
  if (labels.includes("")) return null;
  if (scheme !== undefined) return ANY_END.test(end) || NUMBERS.test(host) ? "whole" : null;
  const isSite = labels[0]?.toLowerCase() === "www" && ANY_END.test(end);
  return (isSite || COMMON_END.test(end)) && labels.length > 1 ? "bare" : null;
}

export const LINK_MAKING: Readonly<Record<string, TemplateFilter>> = { urlize };
