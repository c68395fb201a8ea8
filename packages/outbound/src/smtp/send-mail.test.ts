import { describe, expect, test } from "vitest";
import { type SmtpServerOptions, startSmtpServer } from "../testing/smtp-server.ts";
import { parseMailAddress } from "./mail-address.ts";
import { mailText } from "./mail-message.ts";
import { type MailServer, sendMail } from "./send-mail.ts";

const CONNECTING = {
  policy: { allowPrivate: true, allowed: [] },
  signal: new AbortController().signal,
};
const SERVER: Omit<MailServer, "port"> = {
  host: "127.0.0.1",
  security: "none",
  verify: false,
  username: null,
  password: null,
};
const address = (text: string) => parseMailAddress(text) ?? { name: "", address: "none@none" };

function mail(subject: string, text: string): string {
  return mailText({
    id: "0190-1",
    from: address("Zoë Möller <ops@example.com>"),
    to: [address("ada@example.com"), address("Bob <bob@bücher.example>")],
    subject,
    text,
    sentAt: "2026-11-14T09:00:00.000000Z",
  });
}

async function deliver(
  options: SmtpServerOptions,
  { text = "Hello\r\n", ...given }: Partial<MailServer> & { readonly text?: string } = {},
) {
  const server = await startSmtpServer(options);
  const envelope = { from: "ops@example.com", to: "ada@example.com", text };
  const settings = { ...SERVER, port: server.port, ...given };
  const failure = await sendMail(settings, envelope, CONNECTING).then(
    () => null,
    (error: unknown) => error as Error & { readonly isLasting: boolean; readonly code: unknown },
  );
  await server[Symbol.asyncDispose]();
  return { server, failure };
}

const ACCOUNT = { username: "ada", password: "p\u00e4ss word" };

describe("a mail server", () => {
  test("is given the mail line by line, dots and all", async () => {
    const text = ".\r\n..two\r\nplain\r\n.end\r\n";
    const { server, failure } = await deliver({}, { text });
    expect(failure).toBeNull();
    expect(server.mails).toEqual([
      {
        from: "ops@example.com",
        to: ["ada@example.com"],
        text: ".\r\n..two\r\nplain\r\n.end",
        isEncrypted: false,
        signIn: null,
      },
    ]);
    expect(server.lines[0]).toBe("EHLO [127.0.0.1]");
  });

  test("is signed in to by PLAIN or LOGIN, over a connection that is encrypted first", async () => {
    for (const way of ["AUTH PLAIN LOGIN", "AUTH LOGIN"]) {
      const offers = ["STARTTLS", way, "8BITMIME"];
      const { server, failure } = await deliver({ offers }, { ...ACCOUNT, security: "starttls" });
      expect(failure).toBeNull();
      expect(server.mails).toMatchObject([{ isEncrypted: true, signIn: "ada päss word" }]);
      expect(server.lines.slice(0, 3)).toEqual([
        "EHLO [127.0.0.1]",
        "STARTTLS",
        "EHLO [127.0.0.1]",
      ]);
    }
    const { server, failure } = await deliver({ tls: true }, { security: "tls" });
    expect(failure).toBeNull();
    expect(server.mails).toMatchObject([{ isEncrypted: true }]);
  });

  test("must show a valid certificate where that is wanted", async () => {
    const { server, failure } = await deliver(
      { offers: ["STARTTLS"] },
      { security: "starttls", verify: true },
    );
    expect(failure).toMatchObject({ code: "insecure", isLasting: false });
    expect(server.mails).toEqual([]);
  });

  test("gets no password when it cannot encrypt, or speaks before it does", async () => {
    const refuses = (line: string) => (line === "STARTTLS" ? "454 not now" : undefined);
    const first = await deliver({ answer: refuses }, { ...ACCOUNT, security: "starttls" });
    expect(first.failure).toMatchObject({ name: "MailRefused", code: 454, isLasting: false });
    const smuggles = (line: string) =>
      line === "STARTTLS" ? "220 go ahead\r\n250 AUTH PLAIN" : undefined;
    const second = await deliver({ answer: smuggles }, { ...ACCOUNT, security: "starttls" });
    expect(second.failure).toMatchObject({ code: "insecure" });
    for (const { server } of [first, second]) expect(server.lines.join()).not.toMatch(/AUTH/);
  });

  test.each([
    ["<connect>", "421 busy", false],
    ["<connect>", "554 no", true],
    ["MAIL", "451 later", false],
    ["RCPT", "550 no such user", true],
    ["RCPT", "450 greylisted", false],
    ["DATA", "554 no", true],
    ["<mail>", "452 full", false],
    ["<mail>", "550-first\r\n550 spam", true],
  ])("that answers %s with %s refuses for good: %s", async (step, reply, isLasting) => {
    const answer = (line: string) => (line.startsWith(step) ? reply : undefined);
    const { server, failure } = await deliver({ answer });
    expect(failure).toMatchObject({ name: "MailRefused", isLasting });
    expect(server.mails).toEqual([]);
  });

  test("that hangs up or speaks something else is an attempt that failed", async () => {
    for (const step of ["<connect>", "MAIL", "<mail>"]) {
      const answer = (line: string) => (line.startsWith(step) ? null : undefined);
      expect((await deliver({ answer })).failure).toMatchObject({ code: "broken" });
    }
    const http = () => "HTTP/1.1 400 Bad Request\r\n";
    const { failure } = await deliver({ answer: http }, {});
    expect(failure).toMatchObject({ code: expect.stringMatching(/broken|timeout/) });
  });

  test("is asked for a sign-in that it offers", async () => {
    const { failure } = await deliver({ offers: ["AUTH CRAM-MD5"] }, ACCOUNT);
    expect(failure).toMatchObject({ code: "invalid", isLasting: true });
    const wrong = (line: string) => (line.startsWith("AUTH") ? "535 wrong" : undefined);
    const refused = await deliver({ offers: ["AUTH PLAIN"], answer: wrong }, ACCOUNT);
    expect(refused.failure).toMatchObject({ code: 535, isLasting: true });
    expect(refused.failure?.message).not.toContain("ss word");
    const echoes = (line: string) =>
      /^(?:<|EHLO|AUTH LOGIN)/.test(line) ? undefined : `500 what is "${line}"?`;
    for (const way of ["PLAIN", "LOGIN"]) {
      const { failure: told } = await deliver({ offers: [`AUTH ${way}`], answer: echoes }, ACCOUNT);
      expect(told?.message).toMatch(
        /^The mail server answered the sign-in with 500: what is ".*\*{8}"\?$/,
      );
    }
    const half = (line: string) =>
      line.startsWith("AUTH") ? `500 what is ${line.slice(0, -4)}?` : undefined;
    const cut = await deliver({ offers: ["AUTH PLAIN"], answer: half }, ACCOUNT);
    expect(cut.failure?.message).toMatch(/: what is AUTH PLAIN \*{8}\?$/);
  });
});

describe("a mail", () => {
  test("has headers that no text can break out of, and a body of short plain lines", () => {
    const text = mail(
      "Größe\r\nBcc: eve@example.com",
      `${"ä".repeat(60)} \n.dot\r\ntab\t\nequals = sign\n${"x".repeat(200)}`,
    );
    const [head = "", body = ""] = text.split(/\r\n\r\n(.*)/s);
    expect(head).not.toMatch(/^Bcc/im);
    expect(head).toContain("Message-ID: <0190-1@example.com>");
    expect(head).toContain("Date: Sat, 14 Nov 2026 09:00:00 +0000");
    expect(head).toContain("To: ada@example.com,\r\n Bob <bob@xn--bcher-kva.example>");
    const [, encoded = ""] = /Subject: =\?UTF-8\?B\?([^?]*)\?=/.exec(head) ?? [];
    expect(Buffer.from(encoded, "base64").toString()).toBe("Größe Bcc: eve@example.com");
    for (const line of text.split("\r\n")) {
      expect(line.length).toBeLessThanOrEqual(76);
      expect(line).toMatch(/^[\x20-\x7e]*$/);
    }
    const unfolded = body.replace(/=\r\n/g, "");
    const bytes = unfolded.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    expect(Buffer.from(bytes, "latin1").toString("utf8")).toBe(
      `${"ä".repeat(60)} \r\n.dot\r\ntab\t\r\nequals = sign\r\n${"x".repeat(200)}\r\n`,
    );
  });

  test("keeps a short plain subject as it is, and takes long ones apart between characters", () => {
    expect(mail("Run failed", "")).toContain("\r\nSubject: Run failed\r\n");
    const subject = "🦦".repeat(50);
    const words = [...mail(subject, "").matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)].slice(1);
    const whole = words.map(([, word = ""]) => Buffer.from(word, "base64").toString()).join("");
    expect(whole).toBe(subject);
  });

  test.each([
    "ada",
    "ada@",
    "@x.example",
    "a b@x.example",
    "ada@x.example>\r\nRCPT TO:<eve@x.example",
    "ada@x.example\r\nDATA",
    "ada@x y",
    "<a@b.example> <c@d.example>",
    "ada@[127.0.0.1]",
    "",
  ])("does not go to %j", (text) => {
    expect(parseMailAddress(text)).toBeNull();
  });
});
