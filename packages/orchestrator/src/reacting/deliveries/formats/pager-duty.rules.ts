import { cut } from "../tidy-text.rules.ts";
import {
  blockText,
  type Format,
  type Gravity,
  given,
  gravityOf,
  jsonPost,
  optionalTextIn,
  textMapIn,
} from "./format.rules.ts";

const MAX_SUMMARY = 1024;
const MAX_TEXT = 100_000;

const SEVERITIES: Readonly<Record<Gravity, string>> = {
  info: "info",
  success: "info",
  warning: "warning",
  failure: "critical",
};
const HOSTS: Readonly<Record<string, string>> = {
  us: "events.pagerduty.com",
  eu: "events.eu.pagerduty.com",
};

/** Events API v2: https://developer.pagerduty.com/docs/send-alert-event */
export const pagerDuty: Format = {
  outgoing: (block, { id, created, subject, body }) => {
    const summary = cut(subject, MAX_SUMMARY);
    const link = optionalTextIn(block, "clickable_url");
    const host = HOSTS[optionalTextIn(block, "region_name") ?? "us"] ?? HOSTS["us"];
    return [
      jsonPost(
        `https://${host}/v2/enqueue`,
        given({
          routing_key: blockText(block, "integration_key"),
          event_action: "trigger",
          // What comes twice is one incident.
          dedup_key: id,
          client: "orchestrator",
          links: link === null ? null : [{ href: link, text: summary }],
          payload: given({
            summary,
            source: optionalTextIn(block, "source") ?? "orchestrator",
            severity: SEVERITIES[gravityOf(block)],
            timestamp: created,
            component: optionalTextIn(block, "component"),
            group: optionalTextIn(block, "group"),
            class: optionalTextIn(block, "class_id"),
            custom_details: { ...textMapIn(block, "custom_details"), body: cut(body, MAX_TEXT) },
          }),
        }),
      ),
    ];
  },
};
