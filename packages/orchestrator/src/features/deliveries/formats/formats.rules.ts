import { customWebhook } from "./custom-webhook.rules.ts";
import { discord } from "./discord.rules.ts";
import type { Format } from "./format.rules.ts";
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

/** Block type → how a notification is put for it. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ["slack-webhook", slack],
  ["ms-teams-webhook", msTeams],
  ["discord-webhook", discord],
  ["mattermost-webhook", mattermost],
  ["pager-duty-webhook", pagerDuty],
  ["opsgenie-webhook", opsgenie],
  ["twilio-sms", twilio],
  ["telegram-bot", telegram],
  ["pushover", pushover],
  ["sendgrid-email", sendgrid],
  ["smtp-email", smtpEmail],
  ["custom-webhook", customWebhook],
]);

export const findFormat = (blockTypeSlug: string): Format | null =>
  FORMATS.get(blockTypeSlug) ?? null;
