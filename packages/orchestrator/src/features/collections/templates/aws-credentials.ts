import {
  anyObject,
  blockOf,
  defined,
  eitherOf,
  flag,
  integer,
  list,
  objectOf,
  optional,
  secret,
  text,
  texts,
  textsByName,
} from "./properties.ts";

const FILE = { type: "string", format: "file-path" };

/** The parameters of AssumeRole, called as AWS calls them. */
const ASSUME_ROLE = objectOf({
  properties: {
    RoleSessionName: optional(text("What the session is called; made up when left out.")),
    DurationSeconds: optional(integer("How long the session holds, from 900 to 43200.")),
    Policy: optional(text("A policy of its own, as JSON.")),
    PolicyArns: optional(list(textsByName(), 'Managed policies, each as `{ "arn": … }`.')),
    Tags: optional(list(textsByName(), 'Each as `{ "Key": …, "Value": … }`.')),
    TransitiveTagKeys: optional(texts("Tags that are handed on to the next role.")),
    ExternalId: optional(text("What the owner of the role has asked for.")),
    SerialNumber: optional(text("Of the device for the second factor.")),
    TokenCode: optional(text("What that device shows.")),
    SourceIdentity: optional(text("Who it is that takes the role.")),
    ProvidedContexts: optional(
      list(textsByName(), 'Each as `{ "ProviderArn": …, "ContextAssertion": … }`.'),
    ),
  },
});

const CLIENT_PARAMETERS = objectOf({
  properties: {
    api_version: optional(text("The newest when left out.")),
    use_ssl: flag(undefined, { default: true }),
    verify: eitherOf([{ type: "boolean" }, FILE], {
      default: null,
      description: "Whether certificates are checked.",
    }),
    verify_cert_path: eitherOf([FILE], {
      default: null,
      title: "Certificates",
      description: "A file with the authorities to trust.",
    }),
    endpoint_url: optional(text("In the place of the address that AWS has.")),
    config: optional(anyObject("Further settings of botocore.")),
  },
});

export const AWS_CREDENTIALS = {
  AwsCredentials: blockOf({
    slug: "aws-credentials",
    properties: {
      aws_access_key_id: optional(text()),
      aws_secret_access_key: optional(secret()),
      aws_session_token: optional(text("Only with temporary credentials.")),
      profile_name: optional(text()),
      region_name: optional(text()),
      aws_client_parameters: defined("AwsClientParameters", "How AWS is spoken to."),
      assume_role_arn: optional(text("A role to take.")),
      assume_role_kwargs: defined("AssumeRoleParameters", "How that role is taken.", {
        title: "Assume role parameters",
      }),
    },
    secretFields: ["aws_secret_access_key"],
  }),
  AwsClientParameters: CLIENT_PARAMETERS,
  AssumeRoleParameters: ASSUME_ROLE,
};
