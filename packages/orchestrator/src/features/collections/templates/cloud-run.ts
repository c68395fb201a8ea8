import {
  API_SECRETS,
  CREDENTIALS_ABOUT,
  GCP_CREDENTIALS,
  MEMORY,
  SECRET_KEY_SELECTOR,
  SERVICE_ACCOUNT_ABOUT,
} from "./google.ts";
import { jobTemplate } from "./job-template.ts";
import { defined, flag, integer, nullable, optional, text } from "./properties.ts";

const RESOURCES = { cpu: "{{ cpu }}", memory: "{{ memory }}" };

/** As the first version of Google's API takes it. */
const JOB_BODY = {
  apiVersion: "run.googleapis.com/v1",
  kind: "Job",
  metadata: {
    name: "{{ name }}",
    annotations: { "run.googleapis.com/launch-stage": "BETA" },
  },
  spec: {
    template: {
      metadata: {
        annotations: { "run.googleapis.com/vpc-access-connector": "{{ vpc_connector_name }}" },
      },
      spec: {
        template: {
          spec: {
            containers: [
              {
                image: "{{ image }}",
                command: "{{ command }}",
                resources: { limits: RESOURCES, requests: RESOURCES },
              },
            ],
            timeoutSeconds: "{{ timeout }}",
            serviceAccountName: "{{ service_account_name }}",
          },
        },
      },
    },
  },
};

export const CLOUD_RUN = jobTemplate({
  job: { job_body: JOB_BODY },
  placed: ["region", "credentials", ...Object.keys(API_SECRETS), "timeout", "keep_job"],
  variables: {
    region: text("Where the job runs.", { default: "us-central1", examples: ["europe-west1"] }),
    credentials: nullable(defined("GcpCredentials", CREDENTIALS_ABOUT)),
    ...API_SECRETS,
    image: optional(text("What the container is made of; Prefect's own image when left out.")),
    cpu: optional(
      text("In thousandths of a processor, in steps of a whole one.", {
        pattern: "^(\\d*000)m$",
        examples: ["1000m"],
      }),
    ),
    memory: optional(MEMORY),
    vpc_connector_name: optional(text("How the job reaches a network of one's own.")),
    service_account_name: optional(text(SERVICE_ACCOUNT_ABOUT)),
    keep_job: optional(flag("Whether the job stays when the run has ended.", { default: false })),
    timeout: optional(
      integer("How long the job may run, in seconds, an hour at most.", {
        default: 600,
        exclusiveMinimum: 0,
        maximum: 3600,
      }),
    ),
  },
  definitions: { ...GCP_CREDENTIALS, ...SECRET_KEY_SELECTOR },
});
