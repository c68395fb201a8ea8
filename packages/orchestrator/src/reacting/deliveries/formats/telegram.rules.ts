import { cut } from "../tidy-text.rules.ts";
import {
  BlockFault,
  blockText,
  type Format,
  flagIn,
  jsonPost,
  someTextsIn,
} from "./format.rules.ts";

const MAX_TEXT = 4096;

/** sendMessage: https://core.telegram.org/bots/api#sendmessage */
export const telegram: Format = {
  outgoing: (block, { subject, body }) => {
    const token = blockText(block, "bot_token");
    if (!/^[\w:-]+$/.test(token)) throw new BlockFault("The bot_token of the block is no token");
    const text = cut(`${subject}\n\n${body}`, MAX_TEXT);
    const disable_notification = flagIn(block, "silent", false);
    return someTextsIn(block, "chat_ids").map((chat_id) => ({
      ...jsonPost(`https://api.telegram.org/bot${token}/sendMessage`, {
        chat_id,
        text,
        disable_notification,
      }),
      recipient: chat_id,
    }));
  },
  // How long to wait stands in the body only.
  judge: ({ body }) => {
    const [, seconds] = /"retry_after":\s*(\d{1,6})/.exec(body) ?? [];
    return seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) };
  },
};
