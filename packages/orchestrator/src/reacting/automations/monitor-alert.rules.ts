// What it takes to be told when monitors go down: an automation like any other, written for the
// caller.

import type { Action, AutomationReplace, MonitorAlertCreate } from "@orchestrator/contract";

type MonitorAlertSubject = Pick<MonitorAlertCreate, "monitor_id" | "tag" | "statuses">;

const VERBS = { down: "Down", degraded: "Degraded", up: "Up" } as const;
/** Monitors are named like this in events, whatever the clients of the API call things. */
const MONITOR = "orchestrator.monitor";
const TAG = "orchestrator.tag";

/** What the automation belongs to. Whoever asks for the same again gets the same automation. */
export function alertOwner({ monitor_id, tag }: MonitorAlertSubject, key: string): string {
  const which =
    monitor_id != null ? `monitor.${monitor_id}` : tag != null ? `tag.${tag}` : "all-monitors";
  return `orchestrator.monitor-alert.${key}.${which}`;
}

export function alertAutomation(
  { monitor_id, tag, statuses }: MonitorAlertSubject,
  action: Action,
): AutomationReplace {
  const told = [...new Set(statuses ?? (["down", "up"] as const))];
  const isBack = told.length === 1 && told[0] === "up";
  const which =
    tag != null
      ? `monitors tagged ${tag} ${isBack ? "come back" : "go down"}`
      : monitor_id != null
        ? `a monitor ${isBack ? "comes back" : "goes down"}`
        : `monitors ${isBack ? "come back" : "go down"}`;
  return {
    name: `Tell when ${which}`,
    description: "Made by a request for alerts; asking for the same again writes it anew",
    enabled: true,
    trigger: {
      type: "event",
      posture: "Reactive",
      expect: told.map((status) => `${MONITOR}.${VERBS[status]}`),
      ...(monitor_id != null && { match: { "prefect.resource.id": `${MONITOR}.${monitor_id}` } }),
      ...(tag != null && {
        match_related: {
          "prefect.resource.role": "tag",
          "prefect.resource.id": `${TAG}.${tag}`,
        },
      }),
      threshold: 1,
      within: 0,
    },
    actions: [action],
  };
}

const NAME = "{{ event.resource.name }}";
const URL = "{{ event.resource.labels['orchestrator.monitor.url'] }}";
const STATUS = "{{ event.payload.status }}";
/** Only a whole address is of use to people; where the web UI is may not be known. */
const PAGE = "{% if '://' in event.resource|ui_url %}\n{{ event.resource|ui_url }}{% endif %}";

/** What is sent: words for people, or JSON for a program behind a webhook. */
export function alertAction(block_document_id: string, isWebhook: boolean): Action {
  if (isWebhook) {
    const payload = {
      monitor: NAME,
      resource: "{{ event.resource.id }}",
      url: URL,
      status: STATUS,
      previous_status: "{{ event.payload.previous_status or '' }}",
      message: "{{ event.payload.message }}",
      occurred: "{{ event.occurred }}",
      event_id: "{{ event.id }}",
      ui_url: "{{ event.resource|ui_url }}",
    };
    return { type: "call-webhook", block_document_id, payload };
  }
  const subject = `${NAME} is ${STATUS}`;
  const body = `${NAME} (${URL}) is ${STATUS}.\n{{ event.payload.message }}\n{{ event.occurred }}${PAGE}`;
  return { type: "send-notification", block_document_id, subject, body };
}
