import { jobTemplate } from "./job-template.ts";
import {
  anyObject,
  blockOf,
  choice,
  defined,
  flag,
  integer,
  optional,
  text,
  textsByName,
} from "./properties.ts";

/** As the cluster is given it. */
const JOB_MANIFEST = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: {
    annotations: "{{ annotations }}",
    generateName: "{{ name }}-",
    labels: "{{ labels }}",
    namespace: "{{ namespace }}",
  },
  spec: {
    backoffLimit: "{{ backoff_limit }}",
    ttlSecondsAfterFinished: "{{ finished_job_ttl }}",
    template: {
      spec: {
        parallelism: 1,
        completions: 1,
        restartPolicy: "Never",
        serviceAccountName: "{{ service_account_name }}",
        containers: [
          {
            name: "prefect-job",
            image: "{{ image }}",
            imagePullPolicy: "{{ image_pull_policy }}",
            args: "{{ command }}",
            env: "{{ env }}",
            resources: {
              limits: { cpu: "{{ cpu_limit }}", memory: "{{ memory_limit }}" },
              requests: { cpu: "{{ cpu_request }}", memory: "{{ memory_request }}" },
            },
          },
        ],
      },
    },
  },
};

const CPUS = "`500m` is half a processor.";
const MEMORY = "Such as `512Mi` or `2Gi`.";

export const KUBERNETES = jobTemplate({
  job: { job_manifest: JOB_MANIFEST },
  placed: [
    "annotations",
    "namespace",
    "cluster_config",
    "job_watch_timeout_seconds",
    "pod_watch_timeout_seconds",
    "stream_output",
  ],
  variables: {
    annotations: textsByName("Annotations of the Job and its pods."),
    namespace: text("Where the Job is made.", { default: "default" }),
    image: optional(
      text("What the container is made of; Prefect's own image when left out.", {
        examples: ["registry.example.com/team/flows:1.4"],
      }),
    ),
    service_account_name: optional(text("Whom the pod acts as.")),
    image_pull_policy: {
      ...choice(["IfNotPresent", "Always", "Never"], "When the node fetches the image."),
      default: "IfNotPresent",
    },
    backoff_limit: integer(
      "How often the cluster starts a pod anew that was taken away; with 0 the run is scheduled again instead.",
      { default: 0, minimum: 0 },
    ),
    finished_job_ttl: optional(
      integer(
        "How long the cluster keeps a Job that has ended, in seconds; for ever when left out.",
      ),
    ),
    job_watch_timeout_seconds: optional(
      integer("How long the worker waits for news of the Job; for ever when left out."),
    ),
    pod_watch_timeout_seconds: integer("How long the worker waits for the pod to be made.", {
      default: 60,
    }),
    stream_output: flag("Whether the worker's own output shows what the pod prints.", {
      default: true,
    }),
    cluster_config: optional(
      defined("KubernetesClusterConfig", "Which cluster; the worker's own when left out."),
    ),
    cpu_request: optional(text(`How much processor the pod is promised. ${CPUS}`)),
    cpu_limit: optional(text(`How much processor the pod may use. ${CPUS}`)),
    memory_request: optional(text(`How much memory the pod is promised. ${MEMORY}`)),
    memory_limit: optional(text(`How much memory the pod may use. ${MEMORY}`)),
  },
  definitions: {
    KubernetesClusterConfig: blockOf({
      slug: "kubernetes-cluster-config",
      properties: {
        config: anyObject("What stands in a file that kubectl is configured with."),
        context_name: text("Which of its contexts."),
      },
      required: ["config", "context_name"],
    }),
  },
});
