// Things that a run shows to people.

import type { ArtifactCreate } from "@orchestrator/contract";
import { openReportSession, type ReportSession } from "../report/session.ts";
import { findScope } from "../scope/context.ts";

export interface ArtifactOptions {
  /** Artifacts with one key are versions of one thing: small letters, digits and dashes. */
  readonly key?: string | undefined;
  /** Markdown. */
  readonly description?: string | undefined;
}

type Cell = string | number | boolean | null;
export type TableRows = readonly Readonly<Record<string, Cell>>[];

/** Answers with the artifact's id; null when no server is told of the run. */
export function createMarkdown(
  markdown: string,
  options?: ArtifactOptions,
): Promise<string | null> {
  return createArtifact({ type: "markdown", data: markdown }, options);
}

export function createTable(rows: TableRows, options?: ArtifactOptions): Promise<string | null> {
  return createArtifact({ type: "table", data: JSON.stringify(rows) }, options);
}

export function createLink(
  url: string,
  { text = url, ...options }: ArtifactOptions & { readonly text?: string | undefined } = {},
): Promise<string | null> {
  return createArtifact({ type: "markdown", data: `[${text}](${url})` }, options);
}

export function createImage(url: string, options?: ArtifactOptions): Promise<string | null> {
  return createArtifact({ type: "image", data: url }, options);
}

/** Something that goes on. */
export interface Progress {
  readonly update: (percent: number) => Promise<void>;
}

/** Shows how far something has come, from 0 to 100. */
export async function createProgress(
  percent: number,
  options?: ArtifactOptions,
): Promise<Progress> {
  const id = await createArtifact({ type: "progress", data: bounded(percent) }, options);
  const session = sessionNow();
  return {
    async update(now) {
      if (id === null) return;
      await session?.client.artifacts.update(id, { data: bounded(now) });
    },
  };
}

const bounded = (percent: number): number => Math.min(100, Math.max(0, percent));

async function createArtifact(
  content: Pick<ArtifactCreate, "type" | "data">,
  { key, description }: ArtifactOptions = {},
): Promise<string | null> {
  const scope = findScope();
  const session = sessionNow();
  if (session === null) return null;
  // The task run is told of by events; it may have to be there first.
  const { id } = await session.client.artifacts.create({
    ...content,
    ...(key !== undefined && { key }),
    ...(description !== undefined && { description }),
    flow_run_id: scope?.flowRun?.id ?? null,
    task_run_id: scope?.taskRun?.id ?? null,
  });
  return id;
}

function sessionNow(): ReportSession | null {
  const flow = findScope()?.flow;
  return flow == null ? openReportSession() : flow.session;
}
