import type { Word } from "./word.ts";

/** Everything the command line knows, in the order in which help shows it. */
export const NOUNS: readonly Word[] = [
  {
    name: "server",
    about: "Run and look after the server",
    load: async () => (await import("./commands/server/server.ts")).SERVER,
  },
  {
    name: "init",
    about: "Make a small project that runs",
    load: async () => (await import("./commands/init/init.ts")).initCommand(),
  },
  {
    name: "deploy",
    about: "Make the deployments of an orchestrator.yaml",
    load: async () => (await import("./commands/deploy/deploy.ts")).deployCommand(),
  },
  {
    name: "flow",
    aliases: ["flows"],
    about: "Look at flows, and serve one",
    load: async () => (await import("./commands/flow/flow.ts")).FLOW,
  },
  {
    name: "deployment",
    aliases: ["deployments"],
    about: "Run deployments and look after them",
    load: async () => (await import("./commands/deployment/deployment.ts")).DEPLOYMENT,
  },
  {
    name: "backfill",
    aliases: ["backfills"],
    about: "Runs that deployments make for the past: how far they are, stop them and go on",
    load: async () => (await import("./commands/backfill/backfill.ts")).BACKFILL,
  },
  {
    name: "flow-run",
    aliases: ["flow-runs"],
    about: "Look at runs of flows, follow and control them",
    load: async () => (await import("./commands/flow-run/flow-run.ts")).FLOW_RUN,
  },
  {
    name: "task-run",
    aliases: ["task-runs"],
    about: "Look at runs of tasks",
    load: async () => (await import("./commands/task-run/task-run.ts")).TASK_RUN,
  },
  {
    name: "shell",
    about: "Run commands of the shell as flow runs",
    load: async () => (await import("./commands/shell/shell.ts")).SHELL,
  },
  {
    name: "work-pool",
    aliases: ["work-pools"],
    about: "Where runs are carried out, and how many at once",
    load: async () => (await import("./commands/work-pool/work-pool.ts")).WORK_POOL,
  },
  {
    name: "work-queue",
    aliases: ["work-queues"],
    about: "The queues of work pools: which runs go first",
    load: async () => (await import("./commands/work-queue/work-queue.ts")).WORK_QUEUE,
  },
  {
    name: "worker",
    aliases: ["workers"],
    about: "Carry out the runs of a work pool",
    load: async () => (await import("./commands/worker/worker.ts")).WORKER,
  },
  {
    name: "variable",
    aliases: ["variables"],
    about: "Values that flows read when they run",
    load: async () => (await import("./commands/variable/variable.ts")).VARIABLE,
  },
  {
    name: "block",
    aliases: ["blocks"],
    about: "Addresses, credentials and settings that flows and automations use",
    load: async () => (await import("./commands/block/block.ts")).BLOCK,
  },
  {
    name: "artifact",
    aliases: ["artifacts"],
    about: "What runs leave behind for people",
    load: async () => (await import("./commands/artifact/artifact.ts")).ARTIFACT,
  },
  {
    name: "automation",
    aliases: ["automations"],
    about: "What is done when certain events happen",
    load: async () => (await import("./commands/automation/automation.ts")).AUTOMATION,
  },
  {
    name: "event",
    aliases: ["events"],
    about: "See what happens, and tell of it",
    load: async () => (await import("./commands/event/event.ts")).EVENT,
  },
  {
    name: "webhook",
    aliases: ["webhooks"],
    about: "Addresses at which other services tell of events",
    load: async () => (await import("./commands/webhook/webhook.ts")).WEBHOOK,
  },
  {
    name: "sla",
    aliases: ["slas"],
    about: "What is promised of deployments",
    load: async () => (await import("./commands/sla/sla.ts")).SLA,
  },
  {
    name: "global-concurrency-limit",
    aliases: ["global-concurrency-limits", "gcl"],
    about: "Limits by name, which any code can take slots of",
    load: async () =>
      (await import("./commands/global-concurrency-limit/global-concurrency-limit.ts"))
        .GLOBAL_CONCURRENCY_LIMIT,
  },
  {
    name: "concurrency-limit",
    aliases: ["concurrency-limits"],
    about: "How many task runs with a tag may run at once",
    load: async () =>
      (await import("./commands/concurrency-limit/concurrency-limit.ts")).CONCURRENCY_LIMIT,
  },
  {
    name: "monitor",
    aliases: ["monitors"],
    about: "Watch services and see how they have been",
    load: async () => (await import("./commands/monitor/monitor.ts")).MONITOR,
  },
  {
    name: "maintenance",
    about: "Times in which services may be down and nobody is told",
    load: async () => (await import("./commands/maintenance/maintenance.ts")).MAINTENANCE,
  },
  {
    name: "status-page",
    aliases: ["status-pages"],
    about: "Pages that tell everybody how services are",
    load: async () => (await import("./commands/status-page/status-page.ts")).STATUS_PAGE,
  },
  {
    name: "config",
    about: "How this command finds its server",
    load: async () => (await import("./commands/config/config.ts")).CONFIG,
  },
  {
    name: "cloud",
    about: "Servers with accounts: log in, workspaces, API keys",
    load: async () => (await import("./commands/cloud/cloud.ts")).CLOUD,
  },
  {
    name: "profile",
    aliases: ["profiles"],
    about: "Named sets of settings, one of which is in use",
    load: async () => (await import("./commands/profile/profile.ts")).PROFILE,
  },
  {
    name: "transfer",
    about: "Copy what is defined on a server to another one",
    load: async () => (await import("./commands/transfer/transfer.ts")).transferCommand(),
  },
  {
    name: "api",
    about: "Send a request of your own to a server's API and print the answer",
    load: async () => (await import("./commands/api/api.ts")).apiCommand(),
  },
  {
    name: "dashboard",
    about: "The pages of the server",
    load: async () => (await import("./commands/dashboard/dashboard.ts")).DASHBOARD,
  },
  {
    name: "version",
    about: "Show the versions of this command and of the server in use",
    load: async () => (await import("./commands/version/version.ts")).versionCommand(),
  },
  {
    name: "completion",
    about: "Print a script that lets your shell complete commands",
    load: async () => (await import("./commands/completion/completion.ts")).completionOf(NOUNS),
  },
];
