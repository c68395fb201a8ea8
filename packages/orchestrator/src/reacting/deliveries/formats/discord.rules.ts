import { cut } from "../tidy-text.rules.ts";
import {
  blockText,
  colourOf,
  type Format,
  flagIn,
  given,
  jsonPost,
  optionalTextIn,
} from "./format.rules.ts";

const MAX_TITLE = 256;
const MAX_TEXT = 4096;

/** Execute Webhook: https://discord.com/developers/docs/resources/webhook#execute-webhook */
export const discord: Format = {
  outgoing: (block, { subject, body }) => {
    const id = encodeURIComponent(blockText(block, "webhook_id"));
    const token = encodeURIComponent(blockText(block, "webhook_token"));
    const embed = {
      title: cut(subject, MAX_TITLE),
      description: cut(body, MAX_TEXT),
      color: Number.parseInt(colourOf(block), 16),
    };
    return [
      // Without `wait` the answer comes before the message is taken.
      jsonPost(
        `https://discord.com/api/webhooks/${id}/${token}?wait=true`,
        given({
          username: optionalTextIn(block, "botname"),
          avatar_url: flagIn(block, "avatar", false) ? optionalTextIn(block, "avatar_url") : null,
          tts: flagIn(block, "tts", false),
          embeds: [embed],
          allowed_mentions: { parse: [] },
        }),
      ),
    ];
  },
};
