import type { Artifact } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { Json } from "../../ui/json.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";

/** What a run left behind, shown as what it is. */
export function ArtifactView({ artifact }: { readonly artifact: Artifact }): JSX.Element {
  const { type, data, description } = artifact;
  return (
    <div className="stack-tight">
      {description && <Markdown text={description} />}
      <Shown type={type} data={data} />
    </div>
  );
}

function Shown({ type, data }: Pick<Artifact, "type" | "data">): JSX.Element {
  if (type === "markdown" && typeof data === "string") return <Markdown text={data} />;
  if (type === "progress") return <Progress share={Number(data) || 0} />;
  if (type === "image" && typeof data === "string") return <Picture key={data} address={data} />;
  if (type === "table") return <DataTable data={typeof data === "string" ? parsed(data) : data} />;
  return <Json label="Artifact" value={data ?? null} />;
}

/**
 * One that is elsewhere may be gone, or is not to be had without encryption: then its address still
 * leads there.
 */
function Picture({ address }: { readonly address: string }): JSX.Element {
  const [isLost, setLost] = useState(false);
  const isElsewhere = /^https?:/i.test(address);
  return (
    <div className="stack-tight">
      {isLost ? (
        <NoticeBox>The image could not be loaded.</NoticeBox>
      ) : (
        <img
          src={address}
          alt="Image from the run"
          style={{ maxWidth: "100%" }}
          onError={() => setLost(true)}
        />
      )}
      {isElsewhere && (
        <a
          href={address}
          rel="noreferrer noopener"
          target="_blank"
          style={{ overflowWrap: "anywhere" }}
        >
          {address}
        </a>
      )}
    </div>
  );
}

function Progress({ share }: { readonly share: number }): JSX.Element {
  const percent = Math.min(100, Math.max(0, share));
  return (
    <div className="row" style={{ flexWrap: "nowrap" }}>
      <div
        className="meter"
        style={{ flex: 1 }}
        role="progressbar"
        aria-label="Progress"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
      <span className="num">{percent.toFixed(0)} %</span>
    </div>
  );
}

/** More than anybody reads in a browser, and as many as it can draw at once. */
const MOST_ROWS = 500;

type Row = Readonly<Record<string, unknown>>;

/** A list of records, or a record of lists. */
function DataTable({ data }: { readonly data: unknown }): JSX.Element {
  const rows = rowsOf(data);
  if (rows === undefined) return <Json label="Table" value={data} />;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <>
      {rows.length > MOST_ROWS && (
        <NoticeBox>
          The first {MOST_ROWS} of {rows.length.toLocaleString("en")} rows are shown.
        </NoticeBox>
      )}
      <Table<{ readonly row: Row; readonly key: string }>
        label="Table"
        rows={rows.slice(0, MOST_ROWS).map((row, i) => ({ row, key: String(i) }))}
        keyOf={({ key }) => key}
        empty={<p className="soft">Empty table</p>}
        columns={names.map((name) => ({
          title: name,
          ...(rows.every((row) => isFigure(row[name])) && { look: "end" as const }),
          cell: ({ row }) => textOf(row[name]),
        }))}
      />
    </>
  );
}

function rowsOf(data: unknown): readonly Row[] | undefined {
  const isRow = (value: unknown): value is Row =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (Array.isArray(data)) return data.every(isRow) ? data : undefined;
  if (!isRow(data) || !Object.values(data).every(Array.isArray)) return undefined;
  const lists = Object.entries(data) as [string, unknown[]][];
  const length = Math.max(0, ...lists.map(([, list]) => list.length));
  return Array.from({ length }, (_, i) =>
    Object.fromEntries(lists.map(([name, list]) => [name, list[i]])),
  );
}

const isFigure = (value: unknown): boolean => typeof value === "number" || value == null;

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value == null ? "" : JSON.stringify(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
