// `git_clone`: a repository at one commit. Each commit is fetched once.

import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import type { PullContext, PullStep, StepSettings } from "./pull-context.ts";
import { runProgram } from "./run-program.ts";

const FULL_COMMIT = /^[0-9a-f]{40}$/;
const HEADS = "refs/heads/";
const TAGS = "refs/tags/";

interface Source {
  /** Without credentials: it is a word of git's command line. */
  readonly repository: string;
  readonly env: Readonly<Record<string, string>>;
}

export const gitClone: PullStep = async (settings, context) => {
  const source = sourceOf(settings, context);
  const branch = settings.text("branch");
  const wanted = settings.text("commit_sha") ?? settings.text("commit");
  if (wanted !== null && !FULL_COMMIT.test(wanted))
    throw settings.problem("needs all 40 digits of the commit");
  if (branch?.startsWith("-")) throw settings.problem("has a branch that begins with -");
  const hasSubmodules = settings.flag("include_submodules") || settings.flag("submodules");
  const commit = wanted ?? (await findCommit(settings, { source, branch, context }));
  const name = createHash("sha256").update(source.repository).digest("hex").slice(0, 16);
  const { cache, preparation, redaction, say, signal } = context;
  const variant = `${hasSubmodules ? "-submodules" : ""}${preparation.key}`;
  say(`${redaction.apply(source.repository)} at ${commit}`);
  const make = async (folder: string): Promise<void> => {
    await checkOut({ source, folder, commit, hasSubmodules }, context);
    await preparation.perform({ directory: folder, commit });
  };
  const { folder, release } = await cache.obtain(`git-${name}-${commit}${variant}`, make, signal);
  return { folder, values: { directory: folder, commit }, release };
};

/** Credentials go to git in its environment, as a header for the host of the repository only. */
function sourceOf(settings: StepSettings, { redaction }: PullContext): Source {
  const given = settings.needText("repository");
  if (given.startsWith("-")) throw settings.problem("has a repository that begins with -");
  const { token, username } = settings.credentials();
  redaction.add(token ?? undefined);
  const url = /^https?:\/\//.test(given) ? new URL(given) : null;
  if (url === null) {
    if (token !== null)
      throw settings.problem("has credentials, and they need an https repository");
    return { repository: given, env: environment([]) };
  }
  const password = token ?? decodeURIComponent(url.password || url.username);
  const user = username ?? userFor(url, token === null ? url.username : "");
  url.username = "";
  url.password = "";
  if (password === "") return { repository: url.href, env: environment([]) };
  const basic = Buffer.from(`${user}:${password}`).toString("base64");
  for (const secret of [password, basic]) redaction.add(secret);
  const header = [`http.${url.origin}/.extraHeader`, `Authorization: Basic ${basic}`] as const;
  return { repository: url.href, env: environment([header]) };
}

/** What the usual hosts expect beside a token. */
function userFor({ hostname }: URL, given: string): string {
  if (given !== "") return decodeURIComponent(given);
  if (hostname.includes("gitlab")) return "oauth2";
  return hostname.includes("bitbucket") ? "x-token-auth" : "x-access-token";
}

function environment(
  config: readonly (readonly [string, string])[],
): Readonly<Record<string, string>> {
  const entries = config.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return {
    ...Object.fromEntries(entries),
    GIT_CONFIG_COUNT: String(config.length),
    // Nobody is there to be asked.
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_LFS_SKIP_SMUDGE: "1",
  };
}

async function findCommit(
  settings: StepSettings,
  asked: {
    readonly source: Source;
    readonly branch: string | null;
    readonly context: PullContext;
  },
): Promise<string> {
  const { source, branch, context } = asked;
  const refs = branch === null ? ["HEAD"] : [HEADS, TAGS].map((kind) => `${kind}${branch}`);
  const { stdout } = await runProgram(
    {
      title: `git ls-remote ${source.repository}`,
      words: [
        "git",
        "ls-remote",
        "--",
        source.repository,
        ...refs,
        ...refs.map((ref) => `${ref}^{}`),
      ],
      cwd: tmpdir(),
      env: source.env,
    },
    context,
  );
  const found = new Map(
    stdout.split("\n").map((line) => {
      const [commit = "", ref = ""] = line.split("\t");
      return [ref, commit] as const;
    }),
  );
  // Of a tag with a message, the commit that it is of.
  const commit = refs.map((ref) => found.get(`${ref}^{}`) ?? found.get(ref)).find(Boolean);
  if (commit !== undefined && FULL_COMMIT.test(commit)) return commit;
  throw settings.problem(
    `finds no ${branch === null ? "HEAD" : `branch or tag ${branch}`} in ${context.redaction.apply(source.repository)}`,
  );
}

interface Checkout {
  readonly source: Source;
  readonly folder: string;
  readonly commit: string;
  readonly hasSubmodules: boolean;
}

async function checkOut(
  { source: { repository, env }, folder, commit, hasSubmodules }: Checkout,
  context: PullContext,
): Promise<void> {
  const git = (...words: string[]) =>
    runProgram(
      { title: `git ${words[0]} ${repository}`, words: ["git", ...words], cwd: folder, env },
      context,
    );
  await git("init", "--quiet");
  await git("remote", "add", "origin", repository);
  try {
    await git("fetch", "--quiet", "--depth", "1", "origin", commit);
  } catch (error) {
    context.signal.throwIfAborted();
    context.say(`All of the repository is fetched: ${(error as Error).message}`);
    await git("fetch", "--quiet", "--tags", "origin", "+refs/heads/*:refs/remotes/origin/*");
  }
  await git("checkout", "--quiet", "--detach", commit);
  if (hasSubmodules)
    await git("submodule", "update", "--quiet", "--init", "--recursive", "--depth", "1");
}
