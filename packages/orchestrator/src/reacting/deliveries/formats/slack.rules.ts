import { cut } from "../tidy-text.rules.ts";
import { blockText, colourOf, type Format, jsonPost } from "./format.rules.ts";

/** Slack itself cuts messages at 40,000. */
const MAX_TEXT = 30_000;
const MAX_TITLE = 3000;

/** Links and mentions keep their brackets; every other bracket would be taken for one of them. */
const MARKUP = /<(?:https?:\/\/|mailto:|[!@#])[^<>\n]+>|[&<>]/g;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string): string => text.replace(MARKUP, (found) => ENTITIES[found] ?? found);

/**
 * An incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export const slack: Format = {
  outgoing: (block, { subject, body }) => {
    const title = escaped(cut(subject, MAX_TITLE));
    return [
      jsonPost(blockText(block, "url"), {
        text: `*${title}*`,
        attachments: [
          {
            color: `#${colourOf(block)}`,
            text: escaped(cut(body, MAX_TEXT)),
            mrkdwn_in: ["text"],
            fallback: title,
          },
        ],
      }),
    ];
  },
};
