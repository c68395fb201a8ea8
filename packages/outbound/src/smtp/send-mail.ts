// Hands one mail to a mail server.

import type { Socket } from "node:net";
import { type Connecting, openConnection, secured } from "../open-connection.ts";
import { OutboundError } from "../outbound-error.ts";
import { SmtpConversation, type SmtpReply } from "./smtp-replies.ts";

export type MailSecurity = "starttls" | "tls" | "none";

export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  /** Whether the server's certificate must be valid. */
  readonly verify: boolean;
  readonly username: string | null;
  readonly password: string | null;
}

export interface Envelope {
  readonly from: string;
  readonly to: string;
  /** Headers and body, with CRLF at the ends of lines. */
  readonly text: string;
}

/** The mail server said no. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
  readonly code: number;

  constructor(step: string, { code, lines }: SmtpReply) {
    super(`The mail server answered ${step} with ${code}: ${lines.at(-1) ?? ""}`);
    this.code = code;
  }

  /** Codes from 500 on stay as they are; others may change. */
  get isLasting(): boolean {
    return this.code >= 500;
  }
}

/** Resolves when the server has taken the mail. Throws `MailRefused` or `OutboundError`. */
export async function sendMail(
  server: MailServer,
  envelope: Envelope,
  connecting: Connecting,
): Promise<void> {
  const { host, port, security, verify } = server;
  const { signal } = connecting;
  const plain = await openConnection({ host, port }, connecting);
  let socket: Socket = plain;
  try {
    if (security === "tls") socket = await secured(plain, { host, verify, signal });
    let talk = new SmtpConversation(socket, signal);
    expect("the connection", await talk.hear(), 220);
    let offers = await greet(talk, socket);
    if (security === "starttls") {
      expect("STARTTLS", await talk.say("STARTTLS"), 220);
      talk.release();
      socket = await secured(plain, { host, verify, signal });
      talk = new SmtpConversation(socket, signal);
      offers = await greet(talk, socket);
    }
    await signIn(talk, server, offers);
    await transfer(talk, envelope);
    // The mail is taken; what becomes of the farewell does not matter.
    socket.write("QUIT\r\n");
  } finally {
    socket.end();
    plain.on("error", () => {});
    if (signal.aborted) plain.destroy();
    else plain.destroySoon();
  }
}

async function greet(talk: SmtpConversation, socket: Socket): Promise<readonly string[]> {
  const address = socket.localAddress ?? "127.0.0.1";
  const name = address.includes(":") ? `[IPv6:${address}]` : `[${address}]`;
  const reply = await talk.say(`EHLO ${name}`);
  if (reply.code === 250) return reply.lines;
  expect("HELO", await talk.say(`HELO ${name}`), 250);
  return [];
}

async function signIn(
  talk: SmtpConversation,
  { username, password }: MailServer,
  offers: readonly string[],
): Promise<void> {
  if (username === null || password === null) return;
  const line = offers.find((offer) => /^AUTH[ =]/i.test(offer)) ?? "";
  const ways = line.toUpperCase().split(/[ =]/);
  const coded = (text: string): string => Buffer.from(text, "utf8").toString("base64");
  const say = async (words: string, code: number): Promise<void> =>
    expect("the sign-in", withoutEcho(await talk.say(words), words), code);
  if (ways.includes("PLAIN")) {
    await say(`AUTH PLAIN ${coded(`\0${username}\0${password}`)}`, 235);
  } else if (ways.includes("LOGIN")) {
    await say("AUTH LOGIN", 334);
    await say(coded(username), 334);
    await say(coded(password), 235);
  } else {
    throw new OutboundError("invalid", "The mail server offers no sign-in by PLAIN or LOGIN");
  }
}

const MASK = "********";

/** Some repeat a command that they do not like, or a part of it; this one holds the password. */
function withoutEcho({ code, lines }: SmtpReply, words: string): SmtpReply {
  const [said = ""] = words.split(" ").slice(-1);
  const hidden = (line: string): string =>
    line.replaceAll(said, MASK).replace(/[A-Za-z0-9+/=]{16,}/g, MASK);
  return { code, lines: lines.map(hidden) };
}

async function transfer(talk: SmtpConversation, { from, to, text }: Envelope): Promise<void> {
  expect("the sender", await talk.say(`MAIL FROM:<${from}>`), 250);
  expect("the recipient", await talk.say(`RCPT TO:<${to}>`), 250, 251);
  expect("DATA", await talk.say("DATA"), 354);
  // A line that begins with a dot gets another one, for a dot alone ends the mail.
  const lines = text.replace(/\r\n$/, "").split("\r\n");
  const stuffed = lines.map((line) => (line.startsWith(".") ? `.${line}` : line)).join("\r\n");
  expect("the mail", await talk.send(`${stuffed}\r\n.\r\n`), 250);
}

function expect(step: string, reply: SmtpReply, ...codes: readonly number[]): void {
  if (!codes.includes(reply.code)) throw new MailRefused(step, reply);
}
