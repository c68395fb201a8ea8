import { cut, cutBytes } from "../tidy-text.rules.ts";
import {
  blockText,
  type Format,
  flagIn,
  type Gravity,
  gravityOf,
  jsonPost,
} from "./format.rules.ts";

/** A message may have 28 KB in all. */
const MAX_TEXT_BYTES = 18_000;
const MAX_TITLE = 1000;

const COLOURS: Readonly<Record<Gravity, string>> = {
  info: "accent",
  success: "good",
  warning: "warning",
  failure: "attention",
};

const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;

/**
 * A line's end is none in a card unless it is doubled; but between the items of a list that would
 * indent the next.
 */
function inLines(text: string): string {
  const lines = cutBytes(text, MAX_TEXT_BYTES).split(/\r\n?|\n/);
  const isOneEnough = (line: string, next: string): boolean =>
    line.trim() === "" || next.trim() === "" || (LIST_ITEM.test(line) && LIST_ITEM.test(next));
  return lines
    .map((line, index) => {
      const next = lines[index + 1];
      if (next === undefined) return line;
      return isOneEnough(line, next) ? `${line}\n` : `${line}\n\n`;
    })
    .join("");
}

/** As JSON it must not be longer either, and what JSON escapes takes more room there. */
function fitting(text: string): string {
  for (let kept = cutBytes(text, MAX_TEXT_BYTES); ; ) {
    const size = Buffer.byteLength(JSON.stringify(kept));
    if (size <= MAX_TEXT_BYTES + 2) return kept;
    kept = cutBytes(kept, Math.floor((Buffer.byteLength(kept) * MAX_TEXT_BYTES) / size));
  }
}

/** A workflow that takes adaptive cards: https://adaptivecards.io/explorer */
export const msTeams: Format = {
  outgoing: (block, { subject, body }) => {
    const wrap = flagIn(block, "wrap", true);
    const title = {
      type: "TextBlock",
      text: cut(subject, MAX_TITLE),
      size: "large",
      weight: "bolder",
      color: COLOURS[gravityOf(block)],
      wrap,
    };
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      msteams: { width: "Full" },
      body: [title, { type: "TextBlock", text: fitting(inLines(body)), wrap }],
    };
    const contentType = "application/vnd.microsoft.card.adaptive";
    const card = { contentType, contentUrl: null, content };
    return [jsonPost(blockText(block, "url"), { type: "message", attachments: [card] })];
  },
  // Channels that still have the older kind of address answer 200 and tell the real status in the
  // text.
  judge: ({ body }) => {
    const [, status] = /HTTP error (\d{3})/i.exec(body) ?? [];
    return status === undefined ? {} : { problem: `The channel answered ${status}` };
  },
};
