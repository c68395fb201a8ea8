import { cut } from "../tidy-text.rules.ts";
import { blockText, type Format, jsonPost, someTextsIn } from "./format.rules.ts";

const MAX_SUBJECT = 900;

/** Mail Send: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
export const sendgrid: Format = {
  outgoing: (block, { id, subject, body }) => [
    jsonPost(
      "https://api.sendgrid.com/v3/mail/send",
      {
        personalizations: someTextsIn(block, "to_emails").map((email) => ({ to: [{ email }] })),
        from: { email: blockText(block, "sender_email") },
        subject: cut(subject.replace(/\s+/g, " "), MAX_SUBJECT),
        // An empty text is refused.
        content: [{ type: "text/plain", value: body === "" ? " " : body }],
        custom_args: { message_id: id },
      },
      { authorization: `Bearer ${blockText(block, "api_key")}` },
    ),
  ],
};
