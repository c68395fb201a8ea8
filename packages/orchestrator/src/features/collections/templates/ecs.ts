import { AWS_CREDENTIALS } from "./aws-credentials.ts";
import { jobTemplate } from "./job-template.ts";
import {
  anyObject,
  choice,
  defined,
  flag,
  integer,
  list,
  objectOf,
  optional,
  text,
  textsByName,
} from "./properties.ts";

/** As AWS is told to register it. */
const TASK_DEFINITION = {
  family: "{{ family }}",
  cpu: "{{ cpu }}",
  memory: "{{ memory }}",
  executionRoleArn: "{{ execution_role_arn }}",
  containerDefinitions: [{ image: "{{ image }}", name: "{{ container_name }}" }],
};

/** As AWS is told to run it. */
const TASK_RUN_REQUEST = {
  launchType: "{{ launch_type }}",
  cluster: "{{ cluster }}",
  capacityProviderStrategy: "{{ capacity_provider_strategy }}",
  taskDefinition: "{{ task_definition_arn }}",
  tags: "{{ labels }}",
  overrides: {
    cpu: "{{ cpu }}",
    memory: "{{ memory }}",
    taskRoleArn: "{{ task_role_arn }}",
    containerOverrides: [
      {
        name: "{{ container_name }}",
        command: "{{ command }}",
        environment: "{{ env }}",
        cpu: "{{ cpu }}",
        memory: "{{ memory }}",
      },
    ],
  },
};

export const ECS = jobTemplate({
  job: {
    task_definition: TASK_DEFINITION,
    task_run_request: TASK_RUN_REQUEST,
    // Workers of today pass over these three, those of old want them.
    stream_output: false,
    task_start_timeout_seconds: 0,
    task_watch_poll_interval: 0,
  },
  placed: [
    "aws_credentials",
    "configure_cloudwatch_logs",
    "cloudwatch_logs_options",
    "cloudwatch_logs_prefix",
    "network_configuration",
    "auto_deregister_task_definition",
    "vpc_id",
    "container_name",
    "cluster",
    "match_latest_revision_in_family",
    "prefect_api_key_secret_arn",
    "prefect_api_auth_string_secret_arn",
    "execution_role_arn",
  ],
  variables: {
    task_definition_arn: optional(
      text("A task definition that is there already. What would change one has no effect then."),
    ),
    aws_credentials: defined(
      "AwsCredentials",
      "What the worker signs in with; what it finds on its machine when left out.",
    ),
    cluster: optional(text("Name or ARN; the default cluster when left out.")),
    family: optional(text("What the task definition is called; made up when left out.")),
    launch_type: {
      ...choice(["FARGATE", "EC2", "EXTERNAL", "FARGATE_SPOT"], "What the task runs on."),
      default: "FARGATE",
    },
    capacity_provider_strategy: list(
      defined("CapacityProvider"),
      "Where the task's capacity comes from. With it the launch type has no effect.",
    ),
    image: optional(
      text(
        "What the container is made of; what the task definition says, or Prefect's own image, when left out.",
      ),
    ),
    cpu: optional(integer("In units of which 1024 are one processor; 1024 when nobody says.")),
    memory: optional(integer("In MiB; 2048 when nobody says.")),
    container_name: optional(
      text(
        "Which container of the task runs the flow; `prefect`, or the first one, when left out.",
      ),
    ),
    prefect_api_key_secret_arn: optional(
      text("A secret of AWS with the API key for the flow run; the worker's key when left out."),
    ),
    prefect_api_auth_string_secret_arn: optional(
      text("A secret of AWS with the auth string for the flow run; the worker's when left out."),
    ),
    task_role_arn: optional(text("What the task may do while it runs.")),
    execution_role_arn: optional(text("What may be done for the task to start it. Logs need one.")),
    vpc_id: optional(
      text("The network of tasks whose network mode is awsvpc; the default one when left out."),
    ),
    configure_cloudwatch_logs: optional(
      flag(
        "Whether output goes to CloudWatch. The execution role must be allowed to write there.",
        {
          title: "Logs to CloudWatch",
        },
      ),
    ),
    cloudwatch_logs_options: textsByName("Further options of the log driver.", {
      title: "CloudWatch options",
    }),
    cloudwatch_logs_prefix: optional(
      text("What the names of log streams begin with; made of pool and deployment when left out.", {
        title: "CloudWatch prefix",
      }),
    ),
    network_configuration: anyObject("In the place of what the worker says for awsvpc."),
    auto_deregister_task_definition: flag(
      "Whether task definitions that the worker has registered are made inactive afterwards.",
      { default: false },
    ),
    match_latest_revision_in_family: flag(
      "Whether the newest revision of the family is used again where it says the same.",
      { default: false },
    ),
  },
  definitions: {
    ...AWS_CREDENTIALS,
    CapacityProvider: objectOf({
      properties: {
        capacityProvider: text(),
        weight: integer("Its share of the tasks."),
        base: integer("How many tasks it gets first."),
      },
      required: ["capacityProvider", "weight", "base"],
    }),
  },
});
