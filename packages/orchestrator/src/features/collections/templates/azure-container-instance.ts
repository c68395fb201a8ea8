import { DOCKER_REGISTRY_CREDENTIALS } from "./docker-registry.ts";
import { jobTemplate } from "./job-template.ts";
import {
  anyObject,
  blockOf,
  defined,
  eitherOf,
  flag,
  integer,
  number,
  objectOf,
  optional,
  secret,
  text,
  texts,
} from "./properties.ts";

const UNIQUE_NAME = { type: "string", defaultValue: "[uniqueString(resourceGroup().id)]" };

/** As Azure's resource manager is given it; the worker adds to it. */
const ARM_TEMPLATE = {
  $schema: "https://schema.management.azure.com/schemas/2019-08-01/deploymentTemplate.json#",
  contentVersion: "1.0.0.0",
  parameters: {
    location: { type: "string", defaultValue: "[resourceGroup().location]" },
    container_group_name: UNIQUE_NAME,
    container_name: UNIQUE_NAME,
  },
  resources: [
    {
      type: "Microsoft.ContainerInstance/containerGroups",
      apiVersion: "2022-09-01",
      name: "[parameters('container_group_name')]",
      location: "[parameters('location')]",
      properties: {
        containers: [
          {
            name: "[parameters('container_name')]",
            properties: {
              image: "{{ image }}",
              command: "{{ command }}",
              resources: { requests: { cpu: "{{ cpu }}", memoryInGB: "{{ memory }}" } },
              environmentVariables: [],
            },
          },
        ],
        osType: "Linux",
        restartPolicy: "Never",
      },
    },
  ],
};

const ALL_OR_NONE = "All three, or none: then the worker uses what it finds on its machine.";

export const AZURE_CONTAINER_INSTANCE = jobTemplate({
  job: { arm_template: ARM_TEMPLATE },
  variables: {
    image: text("What the container is made of; Prefect's own image when left out."),
    resource_group_name: text("The resource group that containers are made in.", {
      title: "Resource group",
    }),
    subscription_id: secret("The subscription that pays for them."),
    identities: optional(texts("Managed identities of the container group, by their full ids.")),
    entrypoint: optional(
      text(
        "What the container starts with, and hands the command to. Not every image has this one.",
        {
          default: "/opt/prefect/entrypoint.sh",
        },
      ),
    ),
    image_registry: eitherOf(
      [defined("ACRManagedIdentity"), defined("DockerRegistryCredentials")],
      {
        default: null,
        description:
          "How a private image is fetched: with a name and a password, or from Azure's own registry with a managed identity.",
      },
    ),
    cpu: number("How many processors.", { default: 1 }),
    gpu_count: optional(integer("How many graphics processors; none when left out.")),
    gpu_sku: optional(text("Which kind of them.")),
    memory: number("In GB.", { default: 1 }),
    subnet_ids: optional(texts("The subnets of the container group.")),
    dns_servers: optional(texts("Whom the container group asks for names.")),
    aci_credentials: defined(
      "AzureContainerInstanceCredentials",
      "What the worker signs in with.",
      { title: "Credentials" },
    ),
    stream_output: flag("Whether the worker's own output shows what the container prints.", {
      default: false,
    }),
    task_start_timeout_seconds: integer("How long the container may take to start.", {
      default: 240,
    }),
    task_watch_poll_interval: number("How often the worker looks after it, in seconds.", {
      default: 5,
    }),
    keep_container_group: flag("Whether the container group stays when the run has ended.", {
      default: false,
    }),
  },
  required: ["resource_group_name", "subscription_id"],
  definitions: {
    ...DOCKER_REGISTRY_CREDENTIALS,
    ACRManagedIdentity: objectOf({
      properties: {
        registry_url: text("Where the registry is.", { examples: ["example.azurecr.io"] }),
        identity: text("The managed identity that may read there."),
      },
      required: ["registry_url", "identity"],
    }),
    AzureContainerInstanceCredentials: blockOf({
      slug: "azure-container-instance-credentials",
      properties: {
        client_id: optional(text(`Of the service principal. ${ALL_OR_NONE}`)),
        tenant_id: optional(text(`Of the service principal. ${ALL_OR_NONE}`)),
        client_secret: optional(secret(`Of the service principal. ${ALL_OR_NONE}`)),
        credential_kwargs: anyObject("Further arguments for signing in.", {
          title: "Further settings",
        }),
      },
      secretFields: ["client_secret"],
    }),
  },
});
