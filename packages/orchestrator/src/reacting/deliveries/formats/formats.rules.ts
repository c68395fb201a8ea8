import { customWebhook } from "./custom-webhook.rules.ts";
import { discord } from "./discord.rules.ts";
import type { Format, OutgoingNotice } from "./format.rules.ts";
import { mattermost } from "./mattermost.rules.ts";
import { msTeams } from "./ms-teams.rules.ts";
import { opsgenie } from "./opsgenie.rules.ts";
import { pagerDuty } from "./pager-duty.rules.ts";
import { pushover } from "./pushover.rules.ts";
import { sendgrid } from "./sendgrid.rules.ts";
import { slack } from "./slack.rules.ts";
import { smtpEmail } from "./smtp-email.rules.ts";
import { telegram } from "./telegram.rules.ts";
import { twilio } from "./twilio.rules.ts";

/**
 * Most services refuse a message without a title, or show an empty line: then it is what the text
 * begins with.
 */
const titled = (format: Format): Format => ({
  ...format,
  outgoing: (block, notice) => format.outgoing(block, { ...notice, subject: titleOf(notice) }),
});

function titleOf({ subject, body }: OutgoingNotice): string {
  if (subject.trim() !== "") return subject;
  const [first = ""] = body.trim().split("\n", 1);
  return first.trim() === "" ? "Notification" : first.trim();
}

/** Block type → how a notification is put for it. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ["slack-webhook", titled(slack)],
  ["ms-teams-webhook", titled(msTeams)],
  ["discord-webhook", titled(discord)],
  ["mattermost-webhook", titled(mattermost)],
  ["pager-duty-webhook", titled(pagerDuty)],
  ["opsgenie-webhook", titled(opsgenie)],
  ["twilio-sms", titled(twilio)],
  ["telegram-bot", titled(telegram)],
  ["pushover", titled(pushover)],
  ["sendgrid-email", titled(sendgrid)],
  ["smtp-email", titled(smtpEmail)],
  ["custom-webhook", customWebhook],
]);

export const findFormat = (blockTypeSlug: string): Format | null =>
  FORMATS.get(blockTypeSlug) ?? null;
