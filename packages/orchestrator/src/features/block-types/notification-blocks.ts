import {
  type BlockField,
  flag,
  integerOr,
  numberOr,
  oneOf,
  optionalInteger,
  optionalObject,
  optionalText,
  optionalTextMap,
  optionalTexts,
  type SystemBlock,
  secretMap,
  secretText,
  systemBlock,
  text,
  textOr,
  texts,
} from "./block-fields.ts";

const capabilities = ["notify"];

const NOTIFY_TYPE = oneOf(["info", "success", "warning", "failure"])(
  "Kind of message",
  "How grave the message is; some services colour it accordingly.",
);
const PRIVATE_URLS = flag(true)(
  "Allow private addresses",
  "Whether addresses inside private networks may be called.",
);
const REGION = oneOf(["us", "eu"])("Region", "In which region the account is kept.");
const imageUnless = (fallback: boolean): BlockField =>
  flag(fallback)("Show an image", "Whether a small picture of the kind of message goes with it.");
const BOT_NAME = optionalText("Bot name", "The name that the message appears under.");

export const NOTIFICATION_BLOCKS: readonly SystemBlock[] = [
  systemBlock({
    name: "Slack Webhook",
    slug: "slack-webhook",
    description: "Posts messages to a Slack channel through an incoming webhook.",
    capabilities,
    fields: {
      notify_type: NOTIFY_TYPE,
      url: secretText("Webhook URL", "The address of the incoming webhook, as Slack shows it."),
      allow_private_urls: PRIVATE_URLS,
    },
  }),
  systemBlock({
    name: "Microsoft Teams Webhook",
    slug: "ms-teams-webhook",
    description: "Posts messages to a Microsoft Teams channel through a webhook workflow.",
    capabilities,
    fields: {
      notify_type: NOTIFY_TYPE,
      url: secretText("Webhook URL", "The address of the workflow that takes the messages."),
      allow_private_urls: PRIVATE_URLS,
      include_image: imageUnless(true),
      wrap: flag(true)("Wrap text", "Whether long lines are wrapped."),
    },
  }),
  systemBlock({
    name: "Pager Duty Webhook",
    slug: "pager-duty-webhook",
    description: "Raises events in PagerDuty.",
    capabilities,
    fields: {
      notify_type: NOTIFY_TYPE,
      integration_key: secretText("Integration key", "The routing key of the service."),
      api_key: secretText("API key", "A key that may raise events."),
      source: optionalText("Source", "What the event is reported to come from."),
      component: textOr("Notification")("Component", "The part of the source that is concerned."),
      group: optionalText("Group", "A group of components that belong together."),
      class_id: optionalText("Class", "The class of the event."),
      region_name: REGION,
      clickable_url: optionalText("Link", "An address that the event links to."),
      include_image: imageUnless(true),
      custom_details: optionalTextMap("Details", "More facts to show with the event."),
    },
  }),
  systemBlock({
    name: "Twilio SMS",
    slug: "twilio-sms",
    description: "Sends text messages to phones through Twilio.",
    capabilities,
    fields: {
      notify_type: NOTIFY_TYPE,
      account_sid: text("Account SID", "Which Twilio account sends."),
      auth_token: secretText("Token", "The token of that account."),
      from_phone_number: text("Sender", "The number that messages come from."),
      to_phone_numbers: texts("Recipients", "The numbers that messages go to."),
    },
  }),
  systemBlock({
    name: "Opsgenie Webhook",
    slug: "opsgenie-webhook",
    description: "Raises alerts in Opsgenie.",
    capabilities,
    fields: {
      notify_type: NOTIFY_TYPE,
      apikey: secretText("API key", "The key of an API integration."),
      target_user: optionalTexts("Users", "Who is told."),
      target_team: optionalTexts("Teams", "Which teams are told."),
      target_schedule: optionalTexts("Schedules", "On whose duty it falls."),
      target_escalation: optionalTexts("Escalations", "Which escalations begin."),
      region_name: REGION,
      batch: flag(false)("Batch", "Whether all targets are told in one request."),
      tags: optionalTexts("Tags", "Tags of the alert."),
      priority: optionalInteger("Priority", "From 1, the most urgent, to 5."),
      alias: optionalText("Alias", "Alerts with one alias are one alert."),
      entity: optionalText("Entity", "What the alert is about."),
      details: optionalTextMap("Details", "More facts to show with the alert."),
    },
  }),
  systemBlock({
    name: "Mattermost Webhook",
    slug: "mattermost-webhook",
    description: "Posts messages to Mattermost through an incoming webhook.",
    capabilities,
    fields: {
      notify_type: NOTIFY_TYPE,
      hostname: text("Host", "The host that Mattermost runs on."),
      secure: flag(false)("Use TLS", "Whether the connection is encrypted."),
      token: secretText("Token", "The last part of the webhook's address."),
      botname: BOT_NAME,
      channels: optionalTexts("Channels", "Where to post; the webhook's own channel if none."),
      include_image: imageUnless(false),
      path: optionalText("Path", "What stands before the webhook's path, if anything does."),
      port: integerOr(8065)("Port", "The port that Mattermost listens on."),
    },
  }),
  systemBlock({
    name: "Discord Webhook",
    slug: "discord-webhook",
    description: "Posts messages to a Discord channel through a webhook.",
    capabilities,
    fields: {
      notify_type: NOTIFY_TYPE,
      webhook_id: secretText("Webhook id", "The number in the webhook's address."),
      webhook_token: secretText("Webhook token", "What follows that number."),
      botname: BOT_NAME,
      tts: flag(false)("Read aloud", "Whether the message is spoken."),
      include_image: imageUnless(false),
      avatar: flag(false)("Show an avatar", "Whether the bot has a picture of its own."),
      avatar_url: optionalText("Avatar address", "Where that picture is."),
    },
  }),
  systemBlock({
    name: "Sendgrid Email",
    slug: "sendgrid-email",
    description: "Sends e-mail through SendGrid.",
    capabilities,
    fields: {
      notify_type: NOTIFY_TYPE,
      api_key: secretText("API key", "A key that may send mail."),
      sender_email: text("Sender", "The address that mail comes from."),
      to_emails: texts("Recipients", "The addresses that mail goes to."),
    },
  }),
  systemBlock({
    name: "Custom Webhook",
    slug: "custom-webhook",
    description:
      "Sends messages to any address. `{{subject}}`, `{{body}}`, `{{name}}` and the names of secrets are replaced wherever they stand in the request.",
    capabilities,
    fields: {
      name: text("Name", "How the webhook is called."),
      url: text("Webhook URL", "The address to call."),
      method: oneOf(["POST", "GET", "PUT", "PATCH", "DELETE"])("Method", "The request's method."),
      params: optionalTextMap("Query", "Parameters of the address."),
      json_data: optionalObject("JSON", "A body to send as JSON."),
      form_data: optionalTextMap("Form", "A body to send as a form; not together with JSON."),
      headers: optionalTextMap("Headers", "Headers of the request."),
      cookies: optionalTextMap("Cookies", "Cookies to send."),
      timeout: numberOr(10)("Timeout", "How many seconds the answer is waited for."),
      allow_private_urls: PRIVATE_URLS,
      secrets: secretMap("Secrets", "Values to put in place of their names."),
    },
  }),
];
