import type { JsonObject } from "@orchestrator/contract";
import { describe, expect, test } from "vitest";
import { NOTIFICATION_BLOCKS } from "../../../blocks/notification-blocks.ts";
import { BlockFault, type HttpOutgoing, type Outgoing } from "./format.rules.ts";
import { findFormat } from "./formats.rules.ts";
import { recipientDigest } from "./recipients.rules.ts";

const NOTICE = {
  id: "0192f0c1-0000-7000-8000-000000000001",
  created: "2026-11-14T09:00:00.000000Z",
  subject: "Run failed",
  body: "etl stopped\nsee log",
};

function outgoing(slug: string, block: JsonObject, notice: Partial<typeof NOTICE> = {}) {
  return findFormat(slug)?.outgoing(block, { ...NOTICE, ...notice }) ?? [];
}

interface Sent {
  readonly url: string;
  readonly headers: HttpOutgoing["headers"];
  readonly body: unknown;
}

/** What goes out over HTTP, with JSON bodies read. */
function sent(messages: readonly Outgoing[]): Sent[] {
  return messages.map((message) => {
    const { url, headers, body } = message as HttpOutgoing;
    const isJson = headers["content-type"] === "application/json";
    return { url, headers, body: isJson ? (JSON.parse(body ?? "") as unknown) : body };
  });
}

/** Every kind with as little as it needs. */
const BLOCKS: Readonly<Record<string, JsonObject>> = {
  "slack-webhook": { url: "https://hooks.slack.com/services/T0/B0/x" },
  "ms-teams-webhook": { url: "https://teams.example/workflows/1" },
  "pager-duty-webhook": { integration_key: "route", api_key: "api", component: "Notification" },
  "twilio-sms": {
    account_sid: "AC1",
    auth_token: "t",
    from_phone_number: "+100",
    to_phone_numbers: ["+1", "+2"],
  },
  "opsgenie-webhook": { apikey: "genie" },
  "mattermost-webhook": { hostname: "chat.lan", token: "tok" },
  "discord-webhook": { webhook_id: "1", webhook_token: "tok/en" },
  "sendgrid-email": {
    api_key: "SG",
    sender_email: "ops@x.example",
    to_emails: ["a@x.example", "b@x.example"],
  },
  "smtp-email": {
    smtp_host: "mail.x.example",
    sender_email: "Ops <ops@x.example>",
    to_emails: ["a@x.example"],
  },
  "telegram-bot": { bot_token: "1:abc", chat_ids: ["7", "@channel"] },
  pushover: { api_token: "a", user_key: "u" },
  "custom-webhook": { name: "mine", url: "https://x.example/" },
};

describe("a notification", () => {
  test("can be put for every block type that is there for notifications", () => {
    const slugs = NOTIFICATION_BLOCKS.map(({ slug }) => slug);
    expect(slugs.sort()).toEqual(Object.keys(BLOCKS).sort());
    for (const slug of slugs) expect(outgoing(slug, BLOCKS[slug] ?? {})).not.toEqual([]);
    expect(findFormat("secret")).toBeNull();
  });

  test("is refused when the block lacks what is needed, without a word of what it holds", () => {
    for (const [slug, block] of Object.entries(BLOCKS)) {
      expect(() => outgoing(slug, {})).toThrow(BlockFault);
      for (const key of Object.keys(block)) {
        const rest = Object.fromEntries(Object.entries(block).filter(([name]) => name !== key));
        try {
          outgoing(slug, rest);
        } catch (error) {
          expect(error).toBeInstanceOf(BlockFault);
          expect(String(error)).toMatch(new RegExp(`The block has no ${key}$`));
        }
      }
    }
  });

  test("that has no subject is headed by what it says first", () => {
    const nothing = { subject: " ", body: "" };
    const isHeaded = Object.entries(BLOCKS).map(([slug, block]) =>
      JSON.stringify(outgoing(slug, block, nothing)).includes("Notification"),
    );
    // What a request looks like that the block describes is up to the block.
    expect(isHeaded).toEqual(Object.keys(BLOCKS).map((slug) => slug !== "custom-webhook"));
    const [slack, pager] = ["slack-webhook", "pager-duty-webhook"].map((slug) =>
      sent(outgoing(slug, BLOCKS[slug] ?? {}, { subject: "", body: "\n a b \nc" })),
    );
    expect(slack).toMatchObject([{ body: { text: "*a b*" } }]);
    expect(pager).toMatchObject([{ body: { payload: { summary: "a b" } } }]);
  });

  test("stays within what services take, whatever its length", () => {
    const long = { subject: "🦦é".repeat(30_000), body: "ü".repeat(300_000) };
    for (const [slug, block] of Object.entries(BLOCKS)) {
      const messages = outgoing(slug, block, long);
      for (const message of messages)
        if (message.transport === "http")
          expect(message.body ?? "").not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    }
    const [teams] = outgoing("ms-teams-webhook", BLOCKS["ms-teams-webhook"] ?? {}, long);
    expect(Buffer.byteLength((teams as HttpOutgoing).body ?? "")).toBeLessThan(28_000);
    const [discord] = sent(outgoing("discord-webhook", BLOCKS["discord-webhook"] ?? {}, long));
    const cut = (length: number) => expect.toSatisfy((text: string) => text.length === length);
    expect(discord?.body).toMatchObject({ embeds: [{ title: cut(256), description: cut(4096) }] });
  });
});

describe("Slack", () => {
  test("gets links and mentions as they are, and every other bracket as text", () => {
    const body = "a < b & <https://x.example|log> <!here> <script>";
    const [message] = sent(outgoing("slack-webhook", BLOCKS["slack-webhook"] ?? {}, { body }));
    expect(message).toMatchObject({
      url: "https://hooks.slack.com/services/T0/B0/x",
      body: {
        text: "*Run failed*",
        attachments: [{ text: "a &lt; b &amp; <https://x.example|log> <!here> &lt;script&gt;" }],
      },
    });
  });
});

describe("Microsoft Teams", () => {
  test("gets an adaptive card, and is not believed when it says 200 for a failure", () => {
    const block = { ...BLOCKS["ms-teams-webhook"], notify_type: "failure" };
    expect(sent(outgoing("ms-teams-webhook", block))[0]?.body).toMatchObject({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: {
            type: "AdaptiveCard",
            body: [
              { text: "Run failed", color: "attention" },
              { text: "etl stopped\n\nsee log", wrap: true },
            ],
          },
        },
      ],
    });
    const judge = findFormat("ms-teams-webhook")?.judge;
    const answer = { status: 200, headers: {} };
    expect(judge?.({ ...answer, body: "1" })).toEqual({});
    expect(
      judge?.({ ...answer, body: "Microsoft Teams endpoint returned HTTP error 429 with" }),
    ).toEqual({ problem: "The channel answered 429" });
  });

  test("gets every line as a line, lists as lists, and never more than it takes", () => {
    const textOf = (body: string): string => {
      const [message] = sent(
        outgoing("ms-teams-webhook", BLOCKS["ms-teams-webhook"] ?? {}, { body }),
      );
      const card = message?.body as {
        readonly attachments: readonly [
          { readonly content: { readonly body: readonly [unknown, { readonly text: string }] } },
        ];
      };
      return card.attachments[0].content.body[1].text;
    };
    expect(textOf("a\r\nb\n\nc\n- d\n- e\n1. f\ng")).toBe("a\n\nb\n\nc\n\n- d\n- e\n1. f\n\ng");
    for (const filling of ["\n", "x\n", '"', "\u0001", "🦦\n"]) {
      const size = Buffer.byteLength(JSON.stringify(textOf(filling.repeat(100_000))));
      expect([filling, size]).toEqual([filling, expect.toSatisfy((bytes) => bytes <= 18_002)]);
    }
  });
});

describe("PagerDuty and Opsgenie", () => {
  test("get one incident for a message, however often it comes", () => {
    const pager = {
      ...BLOCKS["pager-duty-webhook"],
      region_name: "eu",
      notify_type: "failure",
      custom_details: { team: "data" },
    };
    const [first, again] = [1, 2].map(() => sent(outgoing("pager-duty-webhook", pager)));
    expect(first).toEqual(again);
    expect(first).toMatchObject([
      {
        url: "https://events.eu.pagerduty.com/v2/enqueue",
        body: {
          routing_key: "route",
          event_action: "trigger",
          dedup_key: NOTICE.id,
          payload: {
            summary: "Run failed",
            severity: "critical",
            source: "orchestrator",
            component: "Notification",
            custom_details: { team: "data", body: NOTICE.body },
          },
        },
      },
    ]);
    const genie = { apikey: "genie", target_user: ["ada"], target_team: ["data"], priority: 2 };
    const alerts = sent(outgoing("opsgenie-webhook", genie));
    const ada = { type: "user", username: "ada" };
    const data = { type: "team", name: "data" };
    const aliasOf = (responder: object) =>
      `${NOTICE.id}-${recipientDigest(NOTICE.id, JSON.stringify([responder]))}`;
    expect(alerts).toMatchObject([
      {
        url: "https://api.opsgenie.com/v2/alerts",
        headers: { authorization: "GenieKey genie" },
        body: { alias: aliasOf(ada), responders: [ada] },
      },
      { body: { alias: aliasOf(data), responders: [data] } },
    ]);
    const others = sent(outgoing("opsgenie-webhook", { ...genie, target_user: ["eve", "ada"] }));
    expect(others[1]).toEqual(alerts[0]);
    expect(sent(outgoing("opsgenie-webhook", { ...genie, batch: true }))).toMatchObject([
      { body: { alias: NOTICE.id, priority: "P2", message: "Run failed" } },
    ]);
  });
});

describe("chats and phones", () => {
  test("get a message for each recipient, at the address of the service", () => {
    expect(sent(outgoing("twilio-sms", BLOCKS["twilio-sms"] ?? {}))).toMatchObject([
      {
        url: "https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json",
        headers: { authorization: `Basic ${Buffer.from("AC1:t").toString("base64")}` },
        body: "From=%2B100&To=%2B1&Body=Run+failed%0Aetl+stopped%0Asee+log",
      },
      { body: expect.stringContaining("To=%2B2") },
    ]);
    expect(sent(outgoing("telegram-bot", BLOCKS["telegram-bot"] ?? {}))).toMatchObject([
      { url: "https://api.telegram.org/bot1:abc/sendMessage", body: { chat_id: "7" } },
      { body: { chat_id: "@channel", text: "Run failed\n\netl stopped\nsee log" } },
    ]);
    const busy = '{"ok":false,"parameters":{"retry_after": 17}}';
    expect(findFormat("telegram-bot")?.judge?.({ status: 429, headers: {}, body: busy })).toEqual({
      retryAfterSeconds: 17,
    });
    expect(sent(outgoing("discord-webhook", BLOCKS["discord-webhook"] ?? {}))).toMatchObject([
      {
        url: "https://discord.com/api/webhooks/1/tok%2Fen?wait=true",
        body: { allowed_mentions: { parse: [] } },
      },
    ]);
    expect(sent(outgoing("pushover", BLOCKS["pushover"] ?? {}))).toMatchObject([
      {
        url: "https://api.pushover.net/1/messages.json",
        body: { token: "a", user: "u", title: "Run failed", priority: 0 },
      },
    ]);
    const chat = { ...BLOCKS["mattermost-webhook"], channels: ["#ops", "dev"], path: "/chat/" };
    expect(
      sent(outgoing("mattermost-webhook", { ...chat, secure: true, port: 443 })),
    ).toMatchObject([
      { url: "https://chat.lan:443/chat/hooks/tok", body: { channel: "ops" } },
      { body: { channel: "dev", text: "**Run failed**\netl stopped\nsee log" } },
    ]);
    expect(() => outgoing("mattermost-webhook", { ...chat, hostname: "a/b" })).toThrow(BlockFault);
  });
});

describe("mail", () => {
  test("goes to each recipient, who do not see each other through SendGrid", () => {
    expect(sent(outgoing("sendgrid-email", BLOCKS["sendgrid-email"] ?? {}))).toMatchObject([
      {
        url: "https://api.sendgrid.com/v3/mail/send",
        headers: { authorization: "Bearer SG" },
        body: {
          personalizations: [
            { to: [{ email: "a@x.example" }] },
            { to: [{ email: "b@x.example" }] },
          ],
          from: { email: "ops@x.example" },
          content: [{ type: "text/plain", value: NOTICE.body }],
        },
      },
    ]);
    expect(outgoing("smtp-email", BLOCKS["smtp-email"] ?? {})).toMatchObject([
      {
        transport: "smtp",
        to: "a@x.example",
        server: { host: "mail.x.example", port: 587, security: "starttls", verify: true },
      },
    ]);
    const evil = { ...BLOCKS["smtp-email"], to_emails: ["a@x.example\r\nDATA"] };
    expect(() => outgoing("smtp-email", evil)).toThrow("to_emails");
  });
});

describe("a custom webhook", () => {
  test("has the message and the secrets put where their names stand", () => {
    const block = {
      name: "mine",
      url: "https://x.example/{{ key }}/{{subject}}",
      method: "PUT",
      params: { q: "{{body}}" },
      headers: { authorization: "Bearer {{key}}", "x-name": "{{name}}" },
      cookies: { session: "{{key}}" },
      json_data: { text: "{{subject}}: {{body}}", deep: [{ "{{name}}": 1 }], rest: "{{ other }}" },
      secrets: { key: "s3cret" },
      timeout: 99,
    };
    const subject = "../../admin?x={{key}}";
    expect(outgoing("custom-webhook", block, { subject })).toEqual([
      {
        transport: "http",
        method: "PUT",
        url: "https://x.example/s3cret/..%2F..%2Fadmin%3Fx%3D%7B%7Bkey%7D%7D?q=etl+stopped%0Asee+log",
        headers: {
          authorization: "Bearer s3cret",
          "x-name": "mine",
          cookie: "session=s3cret",
          "content-type": "application/json",
        },
        body: JSON.stringify({
          text: `${subject}: ${NOTICE.body}`,
          deep: [{ mine: 1 }],
          rest: "{{ other }}",
        }),
        timeoutMs: 25_000,
      },
    ]);
    const form = { name: "f", url: "https://x.example/", form_data: { text: "{{subject}}" } };
    expect(outgoing("custom-webhook", form)).toMatchObject([
      { method: "POST", body: "text=Run+failed" },
    ]);
  });

  test("has the parameters of the block in the place of those of its address, where it has any", () => {
    const url = "https://x.example/?token=1&q=2";
    const urlOf = (params: JsonObject | null) =>
      outgoing("custom-webhook", { name: "f", url, params })[0];
    expect(urlOf({ q: "{{subject}}" })).toMatchObject({ url: "https://x.example/?q=Run+failed" });
    for (const none of [null, {}]) expect(urlOf(none)).toMatchObject({ url });
  });

  test("sends a form that is a text as it is, and leaves it to the block to say what it is", () => {
    const block = {
      name: "f",
      url: "https://x.example/",
      form_data: "<m>{{subject}}</m>",
      headers: { "content-type": "text/xml" },
    };
    expect(outgoing("custom-webhook", block)).toMatchObject([
      { body: "<m>Run failed</m>", headers: { "content-type": "text/xml" } },
    ]);
    expect(outgoing("custom-webhook", { ...block, headers: null })).toMatchObject([
      { headers: {} },
    ]);
  });
});
