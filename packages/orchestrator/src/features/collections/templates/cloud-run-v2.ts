import {
  API_SECRETS,
  CREDENTIALS_ABOUT,
  GCP_CREDENTIALS,
  MEMORY,
  SECRET_KEY_SELECTOR,
  SERVICE_ACCOUNT_ABOUT,
} from "./google.ts";
import { jobTemplate } from "./job-template.ts";
import { choice, defined, flag, integer, nullable, optional, text, texts } from "./properties.ts";

/** As the second version of Google's API takes it. */
const JOB_BODY = {
  client: "prefect",
  launchStage: "{{ launch_stage }}",
  template: {
    template: {
      serviceAccount: "{{ service_account_name }}",
      maxRetries: "{{ max_retries }}",
      timeout: "{{ timeout }}",
      vpcAccess: { connector: "{{ vpc_connector_name }}" },
      containers: [
        {
          image: "{{ image }}",
          command: "{{ command }}",
          args: "{{ args }}",
          env: [],
          resources: { limits: { cpu: "{{ cpu }}", memory: "{{ memory }}" } },
        },
      ],
    },
  },
};

const LAUNCH_STAGES = [
  "ALPHA",
  "BETA",
  "GA",
  "DEPRECATED",
  "EARLY_ACCESS",
  "PRELAUNCH",
  "UNIMPLEMENTED",
  "LAUNCH_TAG_UNSPECIFIED",
];

export const CLOUD_RUN_V2 = jobTemplate({
  job: { job_body: JOB_BODY },
  placed: [
    "credentials",
    "env_from_secrets",
    ...Object.keys(API_SECRETS),
    "cloudsql_instances",
    "keep_job",
    "region",
    "timeout",
  ],
  variables: {
    credentials: defined("GcpCredentials", CREDENTIALS_ABOUT),
    region: text("Where the job runs.", { default: "us-central1" }),
    image: optional(
      text("What the container is made of.", { default: "prefecthq/prefect:3-latest" }),
    ),
    args: texts("Arguments of the command.", { title: "Arguments" }),
    env_from_secrets: {
      title: "Environment variables from secrets",
      type: "object",
      additionalProperties: defined("SecretKeySelector"),
      description: "Variables whose values are secrets of Google's secret manager.",
      examples: [{ TOKEN: { secret: "shop-token", version: "latest" } }],
    },
    ...API_SECRETS,
    cloudsql_instances: nullable(
      texts("Databases that the job connects to, as `project:region:instance`.", {
        title: "Cloud SQL instances",
      }),
    ),
    keep_job: flag("Whether the job stays when the run has ended.", { default: false }),
    launch_stage: {
      ...choice(LAUNCH_STAGES, "How new the features of Cloud Run may be that the job uses."),
      default: "BETA",
    },
    max_retries: integer("How often Cloud Run tries the job again.", { default: 0 }),
    cpu: text("In thousandths of a processor.", { default: "1000m" }),
    memory: { ...MEMORY, default: "512Mi" },
    timeout: integer("How long the job may run, in seconds, a week at most.", {
      default: 600,
      exclusiveMinimum: 0,
      maximum: 604_800,
    }),
    vpc_connector_name: optional(text("How the job reaches a network of one's own.")),
    service_account_name: optional(text(SERVICE_ACCOUNT_ABOUT)),
  },
  definitions: { ...GCP_CREDENTIALS, ...SECRET_KEY_SELECTOR },
});
