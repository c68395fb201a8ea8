import { withoutFraction } from "@orchestrator/exact-json";
import { cut } from "../tidy-text.rules.ts";
import {
  blockText,
  type Format,
  flagIn,
  given,
  jsonPost,
  optionalTextIn,
  textMapIn,
  textsIn,
} from "./format.rules.ts";
import { recipientDigest } from "./recipients.rules.ts";

const MAX_MESSAGE = 130;
const MAX_DESCRIPTION = 15_000;

const HOSTS: Readonly<Record<string, string>> = {
  us: "api.opsgenie.com",
  eu: "api.eu.opsgenie.com",
};

/** Create Alert: https://docs.opsgenie.com/docs/alert-api#create-alert */
export const opsgenie: Format = {
  outgoing: (block, { id, subject, body }) => {
    const host = HOSTS[optionalTextIn(block, "region_name") ?? "us"] ?? HOSTS["us"];
    const headers = { authorization: `GenieKey ${blockText(block, "apikey")}` };
    const responders = [
      ...textsIn(block, "target_user").map((username) => ({ type: "user", username })),
      ...named(block, "team"),
      ...named(block, "schedule"),
      ...named(block, "escalation"),
    ];
    const isOne = responders.length <= 1 || flagIn(block, "batch", false);
    const groups = isOne ? [responders] : responders.map((responder) => [responder]);
    const tags = textsIn(block, "tags");
    const details = textMapIn(block, "details");
    const priority = withoutFraction(block["priority"]);
    return groups.map((group) => {
      const recipient = JSON.stringify(group);
      const alert = jsonPost(
        `https://${host}/v2/alerts`,
        given({
          message: cut(subject, MAX_MESSAGE),
          description: cut(body, MAX_DESCRIPTION),
          // What comes twice is one alert.
          alias:
            optionalTextIn(block, "alias") ??
            (isOne ? id : `${id}-${recipientDigest(id, recipient)}`),
          responders: group.length === 0 ? null : group,
          tags: tags.length === 0 ? null : tags,
          details: Object.keys(details).length === 0 ? null : details,
          entity: optionalTextIn(block, "entity"),
          source: "orchestrator",
          priority:
            typeof priority === "number" && /^[1-5]$/.test(String(priority))
              ? `P${priority}`
              : null,
        }),
        headers,
      );
      return { ...alert, recipient };
    });
  },
};

const named = (block: Parameters<Format["outgoing"]>[0], type: string) =>
  textsIn(block, `target_${type}`).map((name) => ({ type, name }));
