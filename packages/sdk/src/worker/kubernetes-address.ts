// Where the cluster is and how it knows us: told in the environment, by the pod that the worker
// runs in, or by kubectl.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { EngineAddress } from "./engine-http.ts";
import { JobError } from "./runner.ts";

export interface Cluster {
  readonly address: EngineAddress;
  readonly namespace: string;
}

const IN_POD = "/var/run/secrets/kubernetes.io/serviceaccount";
const DEFAULT_NAMESPACE = "default";

/** Read anew for each job: tokens are replaced now and again. */
export async function findCluster(env: NodeJS.ProcessEnv = process.env): Promise<Cluster> {
  const url = env["ORCHESTRATOR_KUBERNETES_URL"];
  if (url !== undefined && url !== "") return fromEnvironment(url, env);
  const host = env["KUBERNETES_SERVICE_HOST"];
  if (host !== undefined && host !== "") return fromPod(host, env["KUBERNETES_SERVICE_PORT"]);
  return fromKubectl();
}

async function fromEnvironment(url: string, env: NodeJS.ProcessEnv): Promise<Cluster> {
  const token = env["ORCHESTRATOR_KUBERNETES_TOKEN"];
  const caFile = env["ORCHESTRATOR_KUBERNETES_CA_FILE"];
  return {
    address: {
      url,
      ...(token !== undefined && { token }),
      ...(caFile !== undefined && { ca: await readFile(caFile, "utf8") }),
    },
    namespace: env["ORCHESTRATOR_KUBERNETES_NAMESPACE"] ?? DEFAULT_NAMESPACE,
  };
}

async function fromPod(host: string, port = "443"): Promise<Cluster> {
  const read = (name: string): Promise<string> => readFile(`${IN_POD}/${name}`, "utf8");
  const [token, ca, namespace] = await Promise.all(["token", "ca.crt", "namespace"].map(read));
  return {
    address: {
      url: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
      ...(token !== undefined && { token: token.trim() }),
      ...(ca !== undefined && { ca }),
    },
    namespace: namespace?.trim() ?? DEFAULT_NAMESPACE,
  };
}

interface KubeConfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users?: readonly { readonly user: Readonly<Record<string, string>> }[];
  readonly contexts?: readonly { readonly context: { readonly namespace?: string } }[];
}

/** kubectl reads its configuration, wherever that is, and answers with the part in use. */
async function fromKubectl(): Promise<Cluster> {
  const args = ["config", "view", "--raw", "--minify", "--flatten", "-o", "json"];
  const { stdout } = await promisify(execFile)("kubectl", args).catch((error: Error) => {
    throw new JobError(
      `No cluster is known: run the worker in one, set ORCHESTRATOR_KUBERNETES_URL, or install kubectl (${error.message.split("\n")[0]})`,
    );
  });
  const { clusters, users, contexts } = JSON.parse(stdout) as KubeConfig;
  const cluster = clusters[0]?.cluster ?? {};
  const user = users?.[0]?.user ?? {};
  const decoded = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : Buffer.from(value, "base64").toString("utf8");
  const ca = decoded(cluster["certificate-authority-data"]);
  const cert = decoded(user["client-certificate-data"]);
  const key = decoded(user["client-key-data"]);
  return {
    address: {
      url: cluster["server"] ?? "",
      ...(user["token"] !== undefined && { token: user["token"] }),
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    },
    namespace: contexts?.[0]?.context.namespace ?? DEFAULT_NAMESPACE,
  };
}
