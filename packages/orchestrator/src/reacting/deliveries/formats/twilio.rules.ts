import { cut } from "../tidy-text.rules.ts";
import { blockText, type Format, someTextsIn } from "./format.rules.ts";

const MAX_TEXT = 1600;

/** Create a Message: https://www.twilio.com/docs/messaging/api/message-resource */
export const twilio: Format = {
  outgoing: (block, { subject, body }) => {
    const account = blockText(block, "account_sid");
    const user = Buffer.from(`${account}:${blockText(block, "auth_token")}`).toString("base64");
    const sender = blockText(block, "from_phone_number");
    const text = cut(`${subject}\n${body}`, MAX_TEXT);
    return someTextsIn(block, "to_phone_numbers").map((recipient) => ({
      transport: "http",
      method: "POST",
      url: `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        authorization: `Basic ${user}`,
      },
      recipient,
      body: new URLSearchParams({ From: sender, To: recipient, Body: text }).toString(),
    }));
  },
};
