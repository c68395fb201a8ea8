import { homedir } from "node:os";
import { resolve } from "node:path";
import { openSession, type ReportSession } from "../report/session.ts";
import { loadBlock } from "../resources/blocks.ts";
import { localStorage, type ResultStorage } from "./result-storage.ts";
import { type S3Place, s3Storage } from "./s3-storage.ts";

const FOLDER_TYPE = "local-file-system";
const REMOTE_TYPE = "remote-file-system";

interface FolderValues {
  readonly basepath?: string | null;
}

/** Where an author wants results kept: a storage, or the name of a block that says where. */
export function storageFrom(given: ResultStorage | string): ResultStorage {
  return typeof given === "string" ? blockStorage(given) : given;
}

/** The block is read when it is first needed, and once. */
function blockStorage(slug: string): ResultStorage {
  if (![FOLDER_TYPE, REMOTE_TYPE].some((type) => slug.startsWith(`${type}/`))) {
    throw new TypeError(
      `Results are kept in blocks of the types ${FOLDER_TYPE} and ${REMOTE_TYPE}, and not in ${slug}: give an object with read, write and remove instead`,
    );
  }
  const open = (): Promise<ResultStorage> => openOnce(openSession(), slug);
  return {
    read: async (key) => (await open()).read(key),
    write: async (key, bytes) => (await open()).write(key, bytes),
    remove: async (key) => (await open()).remove(key),
  };
}

const opened = new WeakMap<ReportSession, Map<string, Promise<ResultStorage>>>();

function openOnce(session: ReportSession, slug: string): Promise<ResultStorage> {
  const known = opened.get(session) ?? new Map<string, Promise<ResultStorage>>();
  opened.set(session, known);
  const found =
    known.get(slug) ?? (slug.startsWith(`${REMOTE_TYPE}/`) ? remoteOf(slug) : folderOf(slug));
  known.set(slug, found);
  // What failed is tried again by the next who needs it.
  found.catch(() => known.delete(slug));
  return found;
}

async function folderOf(slug: string): Promise<ResultStorage> {
  const { basepath } = (await loadBlock<FolderValues>(slug)).values;
  if (!basepath) throw new Error(`The block ${slug} names no folder: set its basepath`);
  return localStorage(resolve(basepath.replace(/^~(?=\/|$)/, homedir())));
}

/** The names are those that the block has elsewhere as well. */
export interface RemoteValues {
  readonly basepath?: string | null;
  readonly settings?: {
    readonly key?: string;
    readonly secret?: string;
    readonly token?: string;
    readonly endpoint_url?: string;
    readonly client_kwargs?: { readonly endpoint_url?: string; readonly region_name?: string };
  } | null;
}

async function remoteOf(slug: string): Promise<ResultStorage> {
  return s3Storage(placeOf(slug, (await loadBlock<RemoteValues>(slug)).values, process.env));
}

const USUAL_REGION = "us-east-1";

/** What the block does not say, the environment does, by the names that all tools for S3 know. */
export function placeOf(
  slug: string,
  { basepath, settings }: RemoteValues,
  env: Readonly<Record<string, string | undefined>>,
): S3Place {
  const [, bucket, folder = ""] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(basepath ?? "") ?? [];
  if (bucket === undefined) {
    throw new Error(`The block ${slug} must name a bucket, as in s3://bucket/folder`);
  }
  const { key, secret, token, endpoint_url, client_kwargs = {} } = settings ?? {};
  const accessKeyId = key || env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = secret || env["AWS_SECRET_ACCESS_KEY"];
  if (!accessKeyId || !secretAccessKey) {
    throw new Error(
      `Nobody says who asks for s3://${bucket}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \`key\` and \`secret\` in the settings of the block ${slug}`,
    );
  }
  const endpoint =
    client_kwargs.endpoint_url ??
    endpoint_url ??
    (env["AWS_ENDPOINT_URL_S3"] || env["AWS_ENDPOINT_URL"] || null);
  return {
    bucket,
    prefix: folder === "" ? "" : `${folder.replace(/\/+$/, "")}/`,
    endpoint,
    region:
      client_kwargs.region_name ?? (env["AWS_REGION"] || env["AWS_DEFAULT_REGION"] || USUAL_REGION),
    // A token belongs to the key it came with.
    credentials: {
      accessKeyId,
      secretAccessKey,
      sessionToken: key ? token : env["AWS_SESSION_TOKEN"] || undefined,
    },
  };
}
