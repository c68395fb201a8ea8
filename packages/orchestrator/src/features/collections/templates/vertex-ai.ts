import { CREDENTIALS_ABOUT, GCP_CREDENTIALS } from "./google.ts";
import { jobTemplate } from "./job-template.ts";
import {
  anyObject,
  defined,
  flag,
  integer,
  nullable,
  number,
  optional,
  text,
  texts,
} from "./properties.ts";

/** As Vertex AI takes a custom job. */
const JOB_SPEC = {
  service_account_name: "{{ service_account_name }}",
  network: "{{ network }}",
  reserved_ip_ranges: "{{ reserved_ip_ranges }}",
  maximum_run_time_hours: "{{ maximum_run_time_hours }}",
  scheduling: "{{ scheduling }}",
  enable_web_access: "{{ enable_web_access }}",
  enable_dashboard_access: "{{ enable_dashboard_access }}",
  worker_pool_specs: [
    {
      replica_count: 1,
      container_spec: { image_uri: "{{ image }}", command: "{{ command }}", args: [] },
      machine_spec: {
        machine_type: "{{ machine_type }}",
        accelerator_type: "{{ accelerator_type }}",
        accelerator_count: "{{ accelerator_count }}",
      },
      disk_spec: {
        boot_disk_type: "{{ boot_disk_type }}",
        boot_disk_size_gb: "{{ boot_disk_size_gb }}",
      },
    },
  ],
};

export const VERTEX_AI = jobTemplate({
  job: { job_spec: JOB_SPEC },
  placed: ["region", "credentials", "job_watch_poll_interval"],
  variables: {
    region: text("Where the job runs.", { examples: ["europe-west4"] }),
    image: text("What the container is made of, from a registry that Vertex AI may read.", {
      examples: ["europe-docker.pkg.dev/team/flows/shop:1.4"],
    }),
    credentials: nullable(defined("GcpCredentials", CREDENTIALS_ABOUT)),
    machine_type: text("How much processor and memory there is.", { default: "n1-standard-4" }),
    accelerator_type: optional(
      text("Which kind of accelerators; none when left out.", { examples: ["NVIDIA_L4"] }),
    ),
    accelerator_count: optional(integer("How many accelerators.")),
    boot_disk_type: text(undefined, { default: "pd-ssd" }),
    boot_disk_size_gb: integer(undefined, { default: 100 }),
    maximum_run_time_hours: integer("How long the job may run, in hours.", {
      title: "Maximum run time",
      default: 1,
    }),
    network: optional(
      text("The network that the job joins, by its full name; none when left out.", {
        examples: ["projects/12345/global/networks/main"],
      }),
    ),
    reserved_ip_ranges: optional(
      texts("The ranges of that network to take addresses from; any when left out."),
    ),
    scheduling: optional(
      anyObject("How Vertex AI queues the job. Its time-out is the maximum run time.", {
        examples: [{ strategy: "FLEX_START", max_wait_duration: "1800s" }],
      }),
    ),
    service_account_name: optional(
      text("Whom the job acts as; needed where the credentials name nobody."),
    ),
    enable_web_access: flag("Whether one may open a shell in the job.", { default: false }),
    enable_dashboard_access: flag("Whether one may open the job's dashboard.", { default: false }),
    job_watch_poll_interval: number("How often the worker looks after the job, in seconds.", {
      default: 5,
    }),
  },
  required: ["region", "image"],
  definitions: GCP_CREDENTIALS,
});
