import { describe, expect, test } from "vitest";
import { createLogger, type LogFormat, type Logger, type LogLevel } from "./logger.ts";

const NOW = "2026-11-14T09:00:00.123000Z";
const clock = { now: () => NOW, nowMicros: () => Date.parse(NOW) * 1000 };

interface Options {
  readonly format?: LogFormat;
  readonly level?: LogLevel;
  readonly isTTY?: boolean;
  readonly env?: Record<string, string>;
}

/** A logger and the text it has written. */
function memoryLogger(options: Options = {}): {
  readonly log: Logger;
  readonly written: () => string;
} {
  let text = "";
  const destination = {
    isTTY: options.isTTY ?? false,
    write(line: string) {
      text += line;
    },
  };
  const { format = "text", level = "info", env = {} } = options;
  return { log: createLogger({ format, level, destination, clock, env }), written: () => text };
}

function jsonOf(act: (log: Logger) => void): Record<string, unknown> {
  const { log, written } = memoryLogger({ format: "json", level: "trace" });
  act(log);
  return JSON.parse(written());
}

function textOf(act: (log: Logger) => void): string {
  const { log, written } = memoryLogger();
  act(log);
  return written().replace(/^\d\d:\d\d:\d\d\.\d\d\d/, "TIME");
}

describe("a line of text", () => {
  test("gives local time, level, logger, message and the fields", () => {
    const { log, written } = memoryLogger();
    log.child({ logger: "http.server" }).info({ port: 4200, host: "::1" }, "Listening");
    const at = new Date(Date.parse(NOW));
    const time = [at.getHours(), at.getMinutes(), at.getSeconds()]
      .map((part) => String(part).padStart(2, "0"))
      .join(":");
    expect(written()).toBe(`${time}.123 | INFO    | http.server - Listening port=4200 host=::1\n`);
  });

  test("quotes what would be hard to read", () => {
    expect(
      textOf((log) =>
        log.warn({ a: "two words", b: "", c: { d: [1] }, e: null, f: "x=y" }, "Fields"),
      ),
    ).toBe('TIME | WARN    | main - Fields a="two words" b="" c={"d":[1]} e=null f="x=y"\n');
  });

  test("is followed by the stack of an error and of its cause, indented", () => {
    const error = new Error("Outer", { cause: new TypeError("Inner") });
    const lines = textOf((log) => log.error({ err: error, id: 7 }, "Failed")).split("\n");
    expect(lines[0]).toBe("TIME | ERROR   | main - Failed id=7");
    expect(lines[1]).toBe("    Error: Outer");
    expect(lines).toContain("    caused by: TypeError: Inner");
    expect(lines.slice(1, -1).every((line) => line.startsWith("    "))).toBe(true);
  });

  test("tells what an error carries besides its message, under either key", () => {
    const error = Object.assign(new Error("No"), { code: "conflict" });
    expect(textOf((log) => log.error({ error }, "Failed")).split("\n")[0]).toBe(
      'TIME | ERROR   | main - Failed error={"code":"conflict"}',
    );
  });

  test("takes its message from an error logged alone", () => {
    expect(textOf((log) => log.error(new Error("Broken")))).toMatch(
      /^TIME \| ERROR {3}\| main - Broken\n {4}Error: Broken\n {8}at /,
    );
  });

  test("has colour on a terminal only, and not where NO_COLOR is set", () => {
    const lineOn = (options: Options): string => {
      const { log, written } = memoryLogger(options);
      log.info("Hello");
      return written();
    };
    expect(lineOn({ isTTY: true })).toContain("\u001b[32mINFO   \u001b[0m");
    expect(lineOn({ isTTY: true, env: { NO_COLOR: "1" } })).not.toContain("\u001b");
    expect(lineOn({ isTTY: false })).not.toContain("\u001b");
  });
});

describe("a forged line", () => {
  const forged = "x\r\n09:00:00.000 | INFO    | main - forged\u2028\u001b[2J\u0085\u202e";

  test.each([
    ["the message", (log: Logger) => log.info(forged)],
    ["a field", (log: Logger) => log.info({ field: forged }, "m")],
    ["a nested field", (log: Logger) => log.info({ field: { deep: [forged] } }, "m")],
    ["a key", (log: Logger) => log.info({ [forged]: 1 }, "m")],
    ["the name of a logger", (log: Logger) => log.child({ logger: forged }).info("m")],
    ["a binding", (log: Logger) => log.child({ bound: forged }).info("m")],
  ])("cannot come from %s", (_where, act) => {
    const written = textOf(act);
    expect(written.indexOf("\n")).toBe(written.length - 1);
    expect(written.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
  });

  test("cannot come from the message of an error", () => {
    const written = textOf((log) => log.error({ err: new Error(forged) }, "m"));
    const [, ...following] = written.trimEnd().split(/[\r\n\u2028\u0085]/);
    expect(following.every((line) => line.startsWith("    "))).toBe(true);
    expect(written).not.toContain("\u001b");
  });

  test("cannot come from fields named like the parts of a line", () => {
    const record = jsonOf((log) =>
      log.child({ timestamp: "bound" }).info({ level: "fatal", timestamp: "never" }, "m"),
    );
    expect(record).toMatchObject({ level: "info", timestamp: NOW, field_level: "fatal" });
    expect(textOf((log) => log.info({ level: 1, timestamp: "never" }, "m"))).toBe(
      "TIME | INFO    | main - m field_level=1 field_timestamp=never\n",
    );
  });
});

describe("a line of JSON", () => {
  test("has the timestamp, the level as a word, the logger, the message and the fields", () => {
    expect(jsonOf((log) => log.debug({ port: 4200 }, "Listening %s", "now"))).toEqual({
      timestamp: NOW,
      level: "debug",
      logger: "main",
      message: "Listening now",
      port: 4200,
    });
  });

  test("names the innermost logger once and keeps the bindings of all", () => {
    const { log, written } = memoryLogger({ format: "json" });
    const outer = log.child({ logger: "outer", a: 1 });
    outer.child({ logger: "inner", b: 2 }).child({ c: 3 }).info("m");
    expect(JSON.parse(written())).toMatchObject({ logger: "inner", a: 1, b: 2, c: 3 });
    expect(written().match(/"logger"/g)).toHaveLength(1);
  });

  test("is written for the level asked for and above", () => {
    const { log, written } = memoryLogger({ level: "warn", format: "json" });
    log.info("no");
    log.child({ logger: "x" }).debug("no");
    log.warn("yes");
    expect(written().split("\n")).toHaveLength(2);
  });
});

describe("secrets", () => {
  const keys = [
    "authorization",
    "Proxy-Authorization",
    "cookie",
    "Set-Cookie",
    "password",
    "dbPassword",
    "passwd",
    "secret",
    "client_secret",
    "access_token",
    "api_key",
    "apiKey",
    "X-API-Key",
    "private_key",
    "DATABASE_URL",
    "credentials",
    "pwd",
    "auth",
  ];

  test.each(keys)("under the key %s are hidden wherever the key stands", (key) => {
    const secret = { [key]: "hunter2" };
    const acts: ((log: Logger) => void)[] = [
      (log) => log.info(secret, "m"),
      (log) => log.info({ a: { b: [{ c: secret }] } }, "m"),
      (log) => log.child(secret).info("m"),
      (log) => log.error({ err: Object.assign(new Error("m"), { config: secret }) }, "m"),
      (log) => log.info({ [key]: { nested: "hunter2" } }, "m"),
      (log) => log.info({ [key]: ["hunter2"] }, "m"),
    ];
    for (const act of acts) {
      const json = JSON.stringify(jsonOf(act));
      expect(json).not.toContain("hunter2");
      expect(json).toContain("[redacted]");
      expect(textOf(act)).not.toContain("hunter2");
    }
  });

  test("in addresses are hidden in messages, fields and stacks", () => {
    const address = "postgres://u:hunter2@h/db";
    const written = textOf((log) =>
      log.error({ err: new Error(`No answer from ${address}`), to: [address] }, `Lost ${address}`),
    );
    expect(written).not.toContain("hunter2");
    expect(written).toContain("Lost postgres://u:***@h/db");
  });

  test("that are not there may be told of", () => {
    expect(jsonOf((log) => log.info({ password: null, has_password: true }, "m"))).toMatchObject({
      password: null,
      has_password: true,
    });
  });

  test("below a bounded depth are hidden with all that is around them", () => {
    let deep: object = { password: "hunter2" };
    for (let level = 0; level < 50; level += 1) deep = { deep };
    expect(textOf((log) => log.info(deep, "m"))).not.toContain("hunter2");
  });

  test("leave the fields beside them and the logged object as they are", () => {
    const fields = { user: "ada", headers: { authorization: "Bearer hunter2", accept: "*/*" } };
    expect(jsonOf((log) => log.info(fields, "m"))).toMatchObject({
      user: "ada",
      headers: { authorization: "[redacted]", accept: "*/*" },
    });
    expect(fields.headers.authorization).toBe("Bearer hunter2");
  });
});

test("an object that refers to itself is logged without failing", () => {
  const circular: Record<string, unknown> = { token: "hunter2" };
  circular["self"] = circular;
  expect(textOf((log) => log.info({ circular }, "m"))).not.toContain("hunter2");
});
