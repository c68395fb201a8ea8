// Automations to start from.
import { inWorkspace } from "../../api/workspace.ts";
import type { IconName } from "../../ui/icons.tsx";
import { type AutomationDraft, newEventTrigger } from "./draft.ts";

export interface Template {
  readonly key: string;
  readonly title: string;
  readonly about: string;
  readonly icon: IconName;
  readonly draft: AutomationDraft;
}

const RESOURCE = "orchestrator.resource.id";
const NO_BLOCK = "";

function draft(some: Partial<AutomationDraft>): AutomationDraft {
  return {
    name: "",
    description: "",
    enabled: true,
    tags: [],
    trigger: newEventTrigger(),
    actions: [],
    actions_on_trigger: [],
    actions_on_resolve: [],
    ...some,
  };
}

export const TEMPLATES: readonly Template[] = [
  {
    key: "run-fails",
    title: "When a run fails, notify me",
    about: "A notification for each run that fails or crashes.",
    icon: "incident",
    draft: draft({
      name: "Notify me when a run fails",
      trigger: {
        type: "event",
        posture: "Reactive",
        expect: ["orchestrator.flow-run.Failed", "orchestrator.flow-run.Crashed"],
        match: { [RESOURCE]: "orchestrator.flow-run.*" },
        for_each: [RESOURCE],
        threshold: 1,
        within: 0,
      },
      actions: [
        {
          type: "send-notification",
          block_document_id: NO_BLOCK,
          subject: "{{ flow_run.name }} is {{ flow_run.state.name }}",
          body: `{{ flow.name }}: {{ flow_run.state.message }}\n${location.origin}${inWorkspace("/runs/")}{{ flow_run.id }}`,
        },
      ],
    }),
  },
  {
    key: "monitor-down-run",
    title: "When a monitor goes down, run a deployment",
    about: "Restart, fail over or clean up with a flow of yours.",
    icon: "deployment",
    draft: draft({
      name: "Act when a monitor goes down",
      trigger: {
        type: "event",
        posture: "Reactive",
        expect: ["orchestrator.monitor.Down"],
        for_each: [RESOURCE],
        threshold: 1,
        within: 0,
      },
      actions: [
        { type: "run-deployment", source: "selected", deployment_id: null, parameters: {} },
      ],
    }),
  },
  {
    key: "monitor-down-tell",
    title: "When a monitor goes down, notify me",
    about: "And again when it recovers.",
    icon: "monitor",
    draft: draft({
      name: "Notify me when a monitor goes down",
      trigger: {
        type: "event",
        posture: "Reactive",
        expect: ["orchestrator.monitor.Down", "orchestrator.monitor.Up"],
        for_each: [RESOURCE],
        threshold: 1,
        within: 0,
      },
      actions: [
        {
          type: "send-notification",
          block_document_id: NO_BLOCK,
          subject: "{{ event.resource.name }} is {{ event.payload.status }}",
          body: "{{ event.payload.message }}",
        },
      ],
    }),
  },
  {
    key: "fails-often",
    title: "When a deployment keeps failing, pause it",
    about: "Three failures within an hour stop its schedules.",
    icon: "pause",
    draft: draft({
      name: "Pause a deployment that keeps failing",
      trigger: {
        type: "event",
        posture: "Reactive",
        expect: ["orchestrator.flow-run.Failed", "orchestrator.flow-run.Crashed"],
        for_each: [`related:deployment:${RESOURCE}`],
        threshold: 3,
        within: 3600,
      },
      actions: [{ type: "pause-deployment", source: "inferred" }],
    }),
  },
  {
    key: "takes-too-long",
    title: "When a run takes too long, cancel it",
    about: "Cancels runs that have been running for an hour.",
    icon: "clock",
    draft: draft({
      name: "Cancel runs that take more than an hour",
      trigger: {
        type: "event",
        posture: "Proactive",
        after: ["orchestrator.flow-run.Running"],
        expect: [
          "orchestrator.flow-run.Completed",
          "orchestrator.flow-run.Failed",
          "orchestrator.flow-run.Crashed",
          "orchestrator.flow-run.Cancelled",
        ],
        for_each: [RESOURCE],
        threshold: 1,
        within: 3600,
      },
      actions: [{ type: "cancel-flow-run" }],
    }),
  },
  {
    key: "heartbeat",
    title: "When a heartbeat stops, notify me",
    about: "A custom event that stops arriving.",
    icon: "event",
    draft: draft({
      name: "Notify me when the heartbeat stops",
      trigger: {
        type: "event",
        posture: "Proactive",
        after: ["my.heartbeat"],
        expect: ["my.heartbeat"],
        for_each: [RESOURCE],
        threshold: 1,
        within: 300,
      },
      actions: [
        {
          type: "send-notification",
          block_document_id: NO_BLOCK,
          subject: "No heartbeat for five minutes",
          body: `{{ labels["${RESOURCE}"] }}`,
        },
      ],
    }),
  },
  {
    key: "blank",
    title: "Start from scratch",
    about: "All triggers and actions.",
    icon: "plus",
    draft: draft({}),
  },
];
