import { DOCKER_REGISTRY_CREDENTIALS } from "./docker-registry.ts";
import { jobTemplate } from "./job-template.ts";
import { anyObject, choice, defined, flag, optional, text, texts } from "./properties.ts";

export const DOCKER = jobTemplate({
  variables: {
    image: text("What the container is made of; Prefect's own image when left out.", {
      examples: ["registry.example.com/team/flows:1.4"],
    }),
    registry_credentials: optional(
      defined("DockerRegistryCredentials", "What the worker logs in with to fetch the image."),
    ),
    image_pull_policy: optional(
      choice(
        ["IfNotPresent", "Always", "IfPossible", "Never"],
        "When the image is fetched from its registry.",
      ),
    ),
    networks: texts("Networks of the engine that the container joins."),
    network_mode: optional(text("Such as `host` or `bridge`. Not together with networks.")),
    auto_remove: flag("Whether the container is removed when it has ended.", { default: false }),
    volumes: texts(
      "What to mount, as `from:to`. A relative `from` begins at the worker's folder.",
      {
        examples: ["/srv/data:/data"],
      },
    ),
    stream_output: flag("Whether the worker's own output shows what the container prints.", {
      default: true,
    }),
    mem_limit: optional(
      text("Such as `512m` or `2g`; a number without a unit is bytes.", { title: "Memory limit" }),
    ),
    memswap_limit: optional(
      text("Memory and swap together, -1 for as much swap as there is. Needs a memory limit.", {
        title: "Memory and swap limit",
      }),
    ),
    privileged: flag("Whether the container may do what the host may.", { default: false }),
    container_create_kwargs: optional(
      anyObject("Further arguments of docker-py for creating the container.", {
        title: "Further settings",
      }),
    ),
  },
  definitions: DOCKER_REGISTRY_CREDENTIALS,
});
