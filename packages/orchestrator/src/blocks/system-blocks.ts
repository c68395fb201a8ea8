import {
  anything,
  dateTime,
  flagField,
  object,
  oneOf,
  optionalInteger,
  optionalSecretText,
  optionalText,
  type SystemBlock,
  secretAnything,
  secretMap,
  secretText,
  systemBlock,
  textField,
} from "./block-fields.ts";
import { NOTIFICATION_BLOCKS } from "./notification-blocks.ts";

const FILES = ["get-directory", "put-directory", "read-path", "write-path"];

/** The block types that are there from the first start. They cannot be deleted. */
export const SYSTEM_BLOCKS: readonly SystemBlock[] = [
  systemBlock({
    name: "Secret",
    slug: "secret",
    description: "One value that is sealed when it is stored and masked when it is shown.",
    fields: { value: secretAnything("Value", "The secret: a text, or any JSON.") },
  }),
  systemBlock({
    name: "JSON",
    slug: "json",
    description: "Any JSON value.",
    fields: { value: anything("Value", "The value.") },
  }),
  systemBlock({
    name: "String",
    slug: "string",
    description: "A text.",
    fields: { value: textField("Value", "The text.") },
  }),
  systemBlock({
    name: "Date Time",
    slug: "date-time",
    description: "A moment.",
    fields: { value: dateTime("Value", "The moment, with its time zone.") },
  }),
  systemBlock({
    name: "Webhook",
    slug: "webhook",
    description: "An address that automations and flows can call.",
    fields: {
      method: oneOf(["POST", "GET", "PUT", "PATCH", "DELETE"])("Method", "The request's method."),
      url: secretText("Webhook URL", "The address to call."),
      headers: secretMap("Headers", "Headers to send along."),
      allow_private_urls: flagField(true)(
        "Allow private addresses",
        "Whether addresses inside private networks may be called.",
      ),
      verify: flagField(true)("Verify", "Whether the certificate of the other side must be valid."),
    },
  }),
  systemBlock({
    name: "Local File System",
    slug: "local-file-system",
    description: "Keeps files in a folder of the machine that a flow runs on.",
    capabilities: FILES,
    fields: { basepath: optionalText("Base path", "The folder; the user's own if none is given.") },
  }),
  systemBlock({
    name: "Remote File System",
    slug: "remote-file-system",
    description: "Keeps files in an object store or on a file server.",
    capabilities: FILES,
    fields: {
      basepath: textField("Base path", "Where files go, with the scheme: `s3://bucket/folder`."),
      settings: object("Settings", "What the connection needs beside the address."),
    },
  }),
  systemBlock({
    name: "SMB",
    slug: "smb",
    description: "Keeps files on a Windows share.",
    capabilities: FILES,
    fields: {
      share_path: textField("Share", "The share and the folder in it."),
      smb_username: optionalSecretText("User", "Who signs in."),
      smb_password: optionalSecretText("Password", "The password of that user."),
      smb_host: textField("Host", "The machine with the share."),
      smb_port: optionalInteger("Port", "The port of the service; the usual one if none is given."),
    },
  }),
  ...NOTIFICATION_BLOCKS,
];
