import { LogFilter } from "@orchestrator/contract";
import { listJson } from "@orchestrator/kernel/lists";
import { openScope } from "@orchestrator/kernel/scope";
import type { Queries } from "@orchestrator/kernel/storage";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { LOG_LIST } from "./logs.filter.ts";

const RUN = "0193aa00-0000-7000-8000-00000000000a";
const OTHER_RUN = "0193aa00-0000-7000-8000-00000000000b";
const TASK = "0193aa00-0000-7000-8000-00000000000c";

interface LogBody {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly message: string;
}

/** The moment so many seconds after nine. */
const at = (second: number): string =>
  `2026-11-14T09:00:${String(second).padStart(2, "0")}.000000Z`;

function aLine(line: Readonly<Record<string, unknown>> = {}) {
  return { name: "flow", level: 20, message: "hello", timestamp: at(0), ...line };
}

async function write(api: TestApi, lines: readonly unknown[]): Promise<void> {
  expect(await api.post("/logs/", lines)).toMatchObject({ status: 201, body: null });
}

async function messages(api: TestApi, body: unknown = {}): Promise<string[]> {
  const answer = await api.post("/logs/filter", body);
  expect(answer.status).toBe(200);
  return (answer.body as LogBody[]).map(({ message }) => message);
}

describeEachApi("writing logs", (open) => {
  test("answers 201 with null, and the lines can be read", async () => {
    await using api = await open();
    await write(api, [
      aLine({ flow_run_id: RUN, task_run_id: TASK, message: 'quoted "it\'s" \\ ünï 🚀\n2nd' }),
      aLine({ level: 25, timestamp: at(1), flow_run_id: null }),
    ]);
    const { body } = await api.post("/logs/filter");
    const [first] = body as LogBody[];
    expect(body).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        updated: first?.created,
        name: "flow",
        level: 20,
        message: 'quoted "it\'s" \\ ünï 🚀\n2nd',
        timestamp: at(0),
        flow_run_id: RUN,
        task_run_id: TASK,
      },
      expect.objectContaining({ level: 25, flow_run_id: null, task_run_id: null }),
    ]);
  });

  test("takes an empty batch", async () => {
    await using api = await open();
    await write(api, []);
    expect(await messages(api)).toEqual([]);
  });

  test("takes several megabytes at once", async () => {
    await using api = await open();
    const message = "x".repeat(1_000_000);
    await write(api, [aLine({ message }), aLine({ message }), aLine({ message: "last" })]);
    expect((await messages(api)).map((each) => each.length)).toEqual([1_000_000, 1_000_000, 4]);
  });

  test("refuses too many lines", async () => {
    await using api = await open();
    const lines = Array.from({ length: 20_001 }, () => aLine());
    expect((await api.post("/logs/", lines)).status).toBe(422);
    expect(await messages(api)).toEqual([]);
  });

  test("cuts a line that is too long, and keeps those beside it", async () => {
    await using api = await open();
    const long = `first${"x".repeat(2_000_000)}last`;
    await write(api, [aLine({ message: long }), aLine({ message: "short" })]);
    const [cut, short] = await messages(api);
    expect([cut?.length, short]).toEqual([999_999, "short"]);
    expect([cut?.slice(0, 6), cut?.slice(-5)]).toEqual(["firstx", "xlast"]);
  });

  test("of great length can be read a few at a time", async () => {
    await using api = await open();
    const message = "x".repeat(1_000_000);
    for (let i = 0; i < 5; i += 1) await write(api, Array(7).fill(aLine({ message })));
    expect(await api.post("/logs/filter", {})).toMatchObject({
      status: 413,
      body: { detail: expect.stringMatching("lower limit") },
    });
    expect(await messages(api, { limit: 30, offset: 30 })).toHaveLength(5);
  });

  test("are read by the newest first, more at once than a list gives, and never more than is said", async () => {
    await using api = await open();
    const lines = Array.from({ length: 300 }, (_, n) =>
      aLine({
        message: `line ${n}`,
        flow_run_id: n % 3 === 0 ? RUN : OTHER_RUN,
        timestamp: at(Math.floor(n / 10)),
      }),
    );
    await write(api, lines);
    const newest = async (body: object): Promise<string[]> => {
      const answer = await api.post("/ui/logs/newest", body);
      expect(answer.status).toBe(200);
      return (answer.body as LogBody[]).map(({ message }) => message);
    };
    const all = lines.map(({ message }) => message).toReversed();
    expect(await newest({})).toEqual(all);
    expect(await newest({ limit: 2 })).toEqual(["line 299", "line 298"]);
    expect(await newest({ logs: { flow_run_id: { any_: [RUN] } }, limit: 2 })).toEqual([
      "line 297",
      "line 294",
    ]);
    expect(await api.post("/ui/logs/newest", { limit: 5001 })).toMatchObject({ status: 422 });
  });

  test("keeps lines of one moment in the order they came in", async () => {
    await using api = await open();
    const all = Array.from({ length: 500 }, (_, n) => `line ${n}`);
    await write(
      api,
      all.slice(0, 400).map((message) => aLine({ message })),
    );
    await write(
      api,
      all.slice(400).map((message) => aLine({ message })),
    );
    const pages = await Promise.all([0, 200, 400].map((offset) => messages(api, { offset })));
    expect(pages.flat()).toEqual(all);
  });

  test("stores a line that comes with an id once, however often it is sent", async () => {
    await using api = await open();
    const [one, two] = [
      "0193aa00-0000-7000-8000-000000000001",
      "0193aa00-0000-7000-8000-000000000002",
    ];
    await write(api, [aLine({ id: one, message: "one" }), aLine({ id: one, message: "doubled" })]);
    await write(api, [
      aLine({ id: one, message: "one again" }),
      aLine({ id: two, message: "two" }),
      aLine({ message: "with no id" }),
    ]);
    await write(api, [aLine({ id: two, message: "two again" })]);
    const { body } = await api.post("/logs/filter");
    expect(body).toMatchObject([
      { id: one, message: "one" },
      { id: two, message: "two" },
      { message: "with no id" },
    ]);
    expect(body).toHaveLength(3);
  });

  test("refuses an id that is none", async () => {
    await using api = await open();
    expect(await api.post("/logs/", [aLine({ id: "first" })])).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc: ["body", 0, "id"], type: "uuid_parsing" }] },
    });
  });

  test("drops NUL characters", async () => {
    await using api = await open();
    await write(api, [aLine({ name: "a\0b", message: "\0one\0 two\0" })]);
    expect((await api.post("/logs/filter")).body).toMatchObject([
      { name: "ab", message: "one two" },
    ]);
  });

  test("takes the key worker_id and does not keep it", async () => {
    await using api = await open();
    await write(api, [aLine({ worker_id: RUN }), aLine({ worker_id: null })]);
    expect(await messages(api)).toHaveLength(2);
  });

  test("takes the common spellings of a time and an id", async () => {
    await using api = await open();
    const timestamp = "2026-11-14 10:00:00.5+01:00";
    await write(api, [aLine({ timestamp, flow_run_id: RUN.toUpperCase().replaceAll("-", "") })]);
    expect((await api.post("/logs/filter")).body).toMatchObject([
      { timestamp: "2026-11-14T09:00:00.500000Z", flow_run_id: RUN },
    ]);
  });

  test.each([
    [aLine({ name: undefined }), "name", "missing"],
    [aLine({ level: undefined }), "level", "missing"],
    [aLine({ message: undefined }), "message", "missing"],
    [aLine({ timestamp: undefined }), "timestamp", "missing"],
    [aLine({ level: "high" }), "level", "int_parsing"],
    [aLine({ timestamp: "soon" }), "timestamp", "datetime_parsing"],
    [aLine({ flow_run_id: "x" }), "flow_run_id", "uuid_parsing"],
    [aLine({ colour: "red" }), "colour", "extra_forbidden"],
  ])("refuses a batch with the line %j whole", async (line, field, type) => {
    await using api = await open();
    expect(await api.post("/logs/", [aLine(), line])).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc: ["body", 1, field], type }] },
    });
    expect(await messages(api)).toEqual([]);
  });

  test("refuses what is no array", async () => {
    await using api = await open();
    expect(await api.post("/logs/", aLine())).toMatchObject({ status: 422 });
  });

  test("wakes whoever follows the logs, after the commit", async () => {
    await using api = await open();
    // A connection that has just begun to listen calls everybody once, so an empty look is no
    // answer.
    const seen = new Promise<string[]>((resolve, reject) => {
      api.ctx.db.wakeUps.on("logs", () => {
        messages(api).then((found) => found.length > 0 && resolve(found), reject);
      });
    });
    await write(api, [aLine()]);
    expect(await seen).toEqual(["hello"]);
  });
});

describeEachApi("lists of logs", (open) => {
  async function openWithLines(): Promise<TestApi> {
    const api = await open();
    await write(api, [
      aLine({ message: "two", timestamp: at(2), level: 30, flow_run_id: RUN, task_run_id: TASK }),
      aLine({ message: "one", timestamp: at(1), level: 10, flow_run_id: RUN }),
      aLine({ message: "three", timestamp: at(3), level: 40, flow_run_id: OTHER_RUN, name: "api" }),
      aLine({ message: "four is One too", timestamp: at(4), level: 50, name: "server" }),
    ]);
    return api;
  }

  test("come in order of time, or the other way round", async () => {
    await using api = await openWithLines();
    const expected = ["one", "two", "three", "four is One too"];
    expect(await messages(api)).toEqual(expected);
    expect(await messages(api, { sort: "TIMESTAMP_ASC" })).toEqual(expected);
    expect(await messages(api, { sort: "TIMESTAMP_DESC" })).toEqual(expected.toReversed());
    expect(await messages(api, { logs: null, sort: null, limit: null })).toEqual(expected);
    expect(await messages(api, { limit: 2, offset: 1 })).toEqual(["two", "three"]);
  });

  test("that have one id at several times stand on any page once each", async () => {
    await using api = await open();
    const id = "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b";
    const words = ["one", "two", "three", "four"];
    await api.post(
      "/logs/",
      words.map((message, n) => aLine({ id, message, timestamp: at(n) })),
    );
    expect(await messages(api, { limit: 2, offset: 1 })).toEqual(["two", "three"]);
  });

  const LISTED: readonly (readonly [object, readonly string[]])[] = [
    [{ level: { ge_: 30 } }, ["two", "three", "four is One too"]],
    [{ level: { le_: 30 } }, ["one", "two"]],
    [{ level: { ge_: 20, le_: 40 } }, ["two", "three"]],
    [{ timestamp: { after_: at(3) } }, ["three", "four is One too"]],
    [{ timestamp: { before_: at(1) } }, ["one"]],
    [{ timestamp: { after_: at(2), before_: at(3) } }, ["two", "three"]],
    [{ flow_run_id: { any_: [RUN] } }, ["one", "two"]],
    [{ flow_run_id: { any_: [RUN, OTHER_RUN] } }, ["one", "two", "three"]],
    [{ flow_run_id: { any_: [] } }, []],
    [{ flow_run_id: { any_: [TASK] } }, []],
    [{ task_run_id: { any_: [TASK] } }, ["two"]],
    [{ task_run_id: { is_null_: true } }, ["one", "three", "four is One too"]],
    [{ task_run_id: { is_null_: false } }, ["two"]],
    [{ flow_run_id: { any_: [RUN] }, task_run_id: { is_null_: true } }, ["one"]],
    [
      { operator: "or_", level: { ge_: 50 }, task_run_id: { any_: [TASK] } },
      ["two", "four is One too"],
    ],
    [{ text: { query: "ONE" } }, ["one", "four is One too"]],
    [{ text: { query: "three two" } }, ["two", "three"]],
    [{ text: { query: "+one -four" } }, ["one"]],
    [{ text: { query: '"is one"' } }, ["four is One too"]],
    [{ text: { query: "SERVER api" } }, ["three", "four is One too"]],
    [{ text: { query: "!flow !server" } }, ["three"]],
    [{ text: { query: '"too server"' } }, []],
    [{ text: { query: "" } }, ["one", "two", "three", "four is One too"]],
    [{ text: { query: "one" }, flow_run_id: { any_: [RUN] } }, ["one"]],
  ];
  test("hold what the filter asks for", async () => {
    await using api = await openWithLines();
    for (const [filter, expected] of LISTED) {
      expect([filter, await messages(api, { logs: filter })]).toEqual([filter, expected]);
    }
    expect(await messages(api, { filter: { level: { ge_: 50 } } })).toEqual(["four is One too"]);
  });

  test("are searched in any case, of letters with accents and of other scripts as well", async () => {
    await using api = await open();
    const lines = ["Größe ÜBER 100 %", "Привет, οδος", "a_b"];
    await write(
      api,
      lines.map((message, n) => aLine({ message, timestamp: at(n) })),
    );
    const found = (query: string) => messages(api, { logs: { text: { query } } });
    expect(await found("+über +GRÖẞE")).toEqual([lines[0]]);
    expect(await found('"über 100 %"')).toEqual([lines[0]]);
    expect(await found("ПРИВЕТ")).toEqual([lines[1]]);
    expect(await found("ΟΔΟΣ")).toEqual([lines[1]]);
    expect(await found("A_B")).toEqual([lines[2]]);
    expect(await found("-Über -a_B")).toEqual([lines[1]]);
    expect(await found("a?b 1%0")).toEqual([]);
  });

  test("can be read page by page from the newest, whatever the filter", async () => {
    await using api = await open();
    await write(
      api,
      Array.from({ length: 30 }, (_, n) =>
        aLine({ message: `${n}`, timestamp: at(n), flow_run_id: n % 2 === 0 ? RUN : OTHER_RUN }),
      ),
    );
    const logs = { flow_run_id: { any_: [RUN, OTHER_RUN] } };
    const sort = "TIMESTAMP_DESC";
    expect(await messages(api, { logs, sort, limit: 3 })).toEqual(["29", "28", "27"]);
    expect(await messages(api, { logs, sort, limit: 3, offset: 27 })).toEqual(["2", "1", "0"]);
  });

  test.each([
    [{ limit: 201 }, ["body", "limit"]],
    [{ offset: -1 }, ["body", "offset"]],
    [{ sort: "LEVEL_ASC" }, ["body", "sort"]],
    [{ logs: { name: { any_: ["x"] } } }, ["body", "logs", "name"]],
    [{ logs: { text: {} } }, ["body", "logs", "text", "query"]],
    [{ logs: { text: { query: "x".repeat(201) } } }, ["body", "logs", "text", "query"]],
    [{ logs: { level: { ge_: "high" } } }, ["body", "logs", "level", "ge_"]],
  ])("refuse %j", async (body, loc) => {
    await using api = await open();
    expect(await api.post("/logs/filter", body)).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc }] },
    });
  });

  const PLANS = [
    [{}, /pkey|autoindex_logs_1/],
    [{ timestamp: { after_: at(1) } }, /pkey|autoindex_logs_1/],
    [{ timestamp: { after_: at(1), before_: at(2) }, level: { ge_: 20 } }, /pkey|autoindex_logs_1/],
    [{ flow_run_id: { any_: [RUN] } }, /logs_by_flow_run/],
    [{ flow_run_id: { any_: [RUN, OTHER_RUN] } }, /logs_by_flow_run/],
    [{ flow_run_id: { any_: [RUN] }, timestamp: { after_: at(1) } }, /logs_by_flow_run/],
    [{ flow_run_id: { any_: [RUN, OTHER_RUN] }, timestamp: { after_: at(1) } }, /logs_by_flow_run/],
    [{ flow_run_id: { any_: [RUN] }, text: { query: "a -b" } }, /logs_by_flow_run/],
    [{ flow_run_id: { any_: [RUN, OTHER_RUN] }, text: { query: "a ü" } }, /logs_by_flow_run/],
    [{ task_run_id: { any_: [TASK] } }, /logs_by_task_run/],
    [{ task_run_id: { any_: [TASK, RUN] }, level: { ge_: 20 } }, /logs_by_task_run/],
    [{ level: { ge_: 30 } }, /logs_by_warning/],
    [{ level: { ge_: 40, le_: 50 }, timestamp: { after_: at(1) } }, /logs_by_warning/],
    [{ level: { ge_: 40 }, text: { query: "a" } }, /logs_by_warning/],
    [{ level: { ge_: 40 }, flow_run_id: { any_: [RUN] } }, /logs_by_(flow_run|warning)/],
  ] as const;
  test("by run, by time or from warnings on are read through an index", async () => {
    await using api = await open();
    await write(api, manyRuns());
    for (const [filter, index] of PLANS) {
      for (const sort of ["TIMESTAMP_ASC", "TIMESTAMP_DESC"]) {
        const plan = await explainList(api, { filter, sort });
        expect([filter, sort, plan]).toEqual([filter, sort, expect.stringMatching(index)]);
      }
    }
  });

  test("of one run come out of the index in order, either way", async () => {
    await using api = await open();
    await write(api, manyRuns());
    const filter = { flow_run_id: { any_: [RUN] }, timestamp: { after_: at(1) } };
    for (const sort of ["TIMESTAMP_ASC", "TIMESTAMP_DESC"]) {
      expect(await explainList(api, { filter, sort })).not.toMatch(/sort|temp b-tree/i);
    }
  });
});

/** Enough lines that it matters how they are found. */
function manyRuns() {
  return Array.from({ length: 5000 }, (_, n) => {
    const id = `0193aa00-0000-7000-8000-${String(n % 100).padStart(12, "0")}`;
    return aLine({ timestamp: at(n % 60), flow_run_id: id, task_run_id: id });
  });
}

/** How the database would read the list. */
async function explainList(
  { ctx }: TestApi,
  { filter, sort }: { readonly filter: object; readonly sort: string },
): Promise<string> {
  const { dialect } = ctx.db;
  let asked = "";
  const queries = {
    dialect,
    workspaceId: openScope("").workspaceId,
    select({ sql, values }: { readonly sql: string; readonly values: readonly unknown[] }) {
      asked = sql.replaceAll(/[?$](\d+)/g, (_, n) => literal(values[Number(n) - 1]));
    },
  } as unknown as Queries;
  await listJson(queries, LOG_LIST, { filter: { ...filter }, sort, limit: 200, offset: 0 });
  const isPostgres = dialect.name === "postgres";
  return ctx.db.exclusively(async (session) => {
    // It plans by what it knows of the rows, and would find out by itself only later.
    if (isPostgres) await session.execute("analyze logs");
    const rows = await session.rows(`explain ${isPostgres ? "" : "query plan "}${asked}`);
    return JSON.stringify(rows);
  });
}

function literal(value: unknown): string {
  if (typeof value === "number") return String(value);
  const text = Array.isArray(value) ? `{${value.join(",")}}` : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

describeEachApi("the download of a flow run's log", (open) => {
  async function openWithRun(name: string, ...options: Parameters<typeof open>): Promise<TestApi> {
    const api = await open(...options);
    const { workspaceId } = openScope("");
    const values = {
      id: RUN,
      workspace_id: workspaceId,
      created: at(0),
      updated: at(0),
      name,
      flow_id: OTHER_RUN,
      parameters: "{}",
      context: "{}",
      empirical_policy: "{}",
      tags: "[]",
      labels: "{}",
      run_count: 0,
      total_run_time: 0,
    };
    const columns = [...Object.keys(values), "auto_scheduled"].join(", ");
    await api.ctx.db.exclusively(async (session) => {
      await session.execute(
        `insert into flows (id, workspace_id, created, updated, name, tags, labels)
         values ('${OTHER_RUN}', '${workspaceId}', '${at(0)}', '${at(0)}', 'flow', '[]', '{}')`,
      );
      await session.execute(
        `insert into flow_runs (${columns}) values (${Object.values(values).map(literal).join(", ")}, false)`,
      );
    });
    return api;
  }

  test("holds its lines in order of time as CSV, under the run's name", async () => {
    await using api = await openWithRun("tidy-fox");
    await write(api, [
      aLine({
        flow_run_id: RUN,
        timestamp: at(2),
        level: 40,
        message: 'a, "b"\nc',
        task_run_id: TASK,
      }),
      aLine({ flow_run_id: RUN, timestamp: at(1), message: "=cmd()" }),
      aLine({ flow_run_id: OTHER_RUN, message: "not mine" }),
    ]);
    const answer = await api.get(`/flow_runs/${RUN}/logs/download`);
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="tidy-fox-logs.csv"; filename*=UTF-8''tidy-fox-logs.csv`,
      },
    });
    expect(answer.body).toBe(
      [
        "timestamp,level,flow_run_id,task_run_id,message",
        `${at(1)},INFO,${RUN},,'=cmd()`,
        `${at(2)},ERROR,${RUN},${TASK},"a, ""b""\nc"`,
        "",
      ].join("\r\n"),
    );
  });

  test("has times and levels as that client knows them in the dialect prefect", async () => {
    await using api = await openWithRun("tidy-fox", { dialect: "prefect" });
    const timestamp = "2035-01-01T01:00:00Z";
    await write(api, [aLine({ flow_run_id: RUN, timestamp, level: 25, message: "a" })]);
    const { body } = await api.get(`/flow_runs/${RUN}/logs/download`);
    expect(String(body).split("\r\n")[1]).toBe(`2035-01-01 01:00:00+00:00,25,${RUN},,a`);
  });

  test("has no line twice or missing over many pages", async () => {
    await using api = await openWithRun("größe");
    const lines = Array.from({ length: 2345 }, (_, n) =>
      aLine({ flow_run_id: RUN, timestamp: at(n % 7), message: `<${n}>` }),
    );
    await write(api, lines);
    const { body, headers } = await api.get(`/flow_runs/${RUN}/logs/download`);
    expect(headers["content-disposition"]).toContain("UTF-8''gr%C3%B6%C3%9Fe-logs.csv");
    const rows = String(body).trimEnd().split("\r\n").slice(1);
    const expected = lines.toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));
    expect(rows.map((row) => row.split(",").at(-1))).toEqual(
      expected.map(({ message }) => message),
    );
  });

  test("of a run without lines is the header alone", async () => {
    await using api = await openWithRun("quiet");
    const { body } = await api.get(`/flow_runs/${RUN}/logs/download`);
    expect(body).toBe("timestamp,level,flow_run_id,task_run_id,message\r\n");
  });

  test("of an unknown run is not found, even when there are lines of it", async () => {
    await using api = await open();
    await write(api, [aLine({ flow_run_id: RUN })]);
    expect(await api.get(`/flow_runs/${RUN}/logs/download`)).toMatchObject({
      status: 404,
      body: { detail: `Flow run ${RUN} not found` },
    });
  });
});

test("the contract and the list know the same attributes and operators", () => {
  expect(describeListFilter(LOG_LIST)).toEqual(describeFilterSchema(LogFilter));
});
