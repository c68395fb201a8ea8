import { cut, cutBytes } from "../tidy-text.rules.ts";
import { type Format, flagIn, type Gravity, gravityOf, jsonPost, textIn } from "./format.rules.ts";

/** A message may have 28 KB in all. */
const MAX_TEXT_BYTES = 18_000;
const MAX_TITLE = 1000;

const COLOURS: Readonly<Record<Gravity, string>> = {
  info: "accent",
  success: "good",
  warning: "warning",
  failure: "attention",
};

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
      msteams: { width: "full" },
      body: [title, { type: "TextBlock", text: cutBytes(body, MAX_TEXT_BYTES), wrap }],
    };
    const contentType = "application/vnd.microsoft.card.adaptive";
    const card = { contentType, contentUrl: null, content };
    return [jsonPost(textIn(block, "url"), { type: "message", attachments: [card] })];
  },
  // Channels that still have the older kind of address answer 200 and tell the real status in the text.
  judge: ({ body }) => {
    const [, status] = /HTTP error (\d{3})/i.exec(body) ?? [];
    return status === undefined ? {} : { problem: `The channel answered ${status}` };
  },
};
