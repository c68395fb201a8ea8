import { cut } from "../tidy-text.rules.ts";
import {
  blockText,
  type Format,
  type Gravity,
  given,
  gravityOf,
  jsonPost,
  optionalTextIn,
} from "./format.rules.ts";

const MAX_TITLE = 250;
const MAX_TEXT = 1024;
/** Higher ones ring until they are confirmed. */
const PRIORITIES: Readonly<Record<Gravity, number>> = {
  info: 0,
  success: 0,
  warning: 0,
  failure: 1,
};

/** Messages: https://pushover.net/api */
export const pushover: Format = {
  outgoing: (block, { subject, body }) => [
    jsonPost(
      "https://api.pushover.net/1/messages.json",
      given({
        token: blockText(block, "api_token"),
        user: blockText(block, "user_key"),
        device: optionalTextIn(block, "device"),
        title: cut(subject, MAX_TITLE),
        // An empty text is refused.
        message: body === "" ? "-" : cut(body, MAX_TEXT),
        priority: PRIORITIES[gravityOf(block)],
      }),
    ),
  ],
};
