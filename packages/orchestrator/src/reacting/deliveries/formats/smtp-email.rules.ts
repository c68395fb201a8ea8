import type { JsonObject } from "@orchestrator/contract";
import { type MailAddress, type MailServer, parseMailAddress } from "@orchestrator/outbound";
import { cut } from "../tidy-text.rules.ts";
import {
  BlockFault,
  blockText,
  type Format,
  flagIn,
  optionalTextIn,
  portIn,
  someTextsIn,
} from "./format.rules.ts";

const MAX_SUBJECT = 900;
const PORTS: Readonly<Record<MailServer["security"], number>> = {
  starttls: 587,
  tls: 465,
  none: 25,
};

/** A mail to each recipient; all of them see to whom it went. */
export const smtpEmail: Format = {
  outgoing: (block, { id, created, subject, body }) => {
    const server = serverOf(block);
    const from = addressIn(blockText(block, "sender_email"), "sender_email");
    const to = someTextsIn(block, "to_emails").map((text) => addressIn(text, "to_emails"));
    const mail = { id, from, to, subject: cut(subject, MAX_SUBJECT), text: body, sentAt: created };
    return to.map(({ address }) => ({ transport: "smtp", server, mail, to: address }));
  },
};

function serverOf(block: JsonObject): MailServer {
  const security = optionalTextIn(block, "security") ?? "starttls";
  if (security !== "starttls" && security !== "tls" && security !== "none")
    throw new BlockFault("The security of the block is not known");
  const { password } = block;
  return {
    host: blockText(block, "smtp_host"),
    port: portIn(block, PORTS[security]),
    security,
    verify: flagIn(block, "verify", true),
    username: optionalTextIn(block, "username"),
    password: typeof password === "string" && password !== "" ? password : null,
  };
}

function addressIn(text: string, key: string): MailAddress {
  const address = parseMailAddress(text);
  if (address === null) throw new BlockFault(`An address of ${key} is no e-mail address`);
  return address;
}
