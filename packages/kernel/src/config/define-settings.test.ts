import { describe, expect, expectTypeOf, test } from "vitest";
import { defineSettings } from "./define-settings.ts";
import { setting } from "./setting.ts";
import { choice, durationType, port, textType, url, userHomeFolder } from "./setting-types.ts";
import { SettingsError } from "./settings-error.ts";

const settings = defineSettings({
  port: setting({ name: "APP_PORT", type: port, default: 4200, summary: "Where to listen." }),
  home: setting({
    name: "APP_HOME",
    type: textType,
    default: (env) => `${userHomeFolder(env)}/.app`,
    defaultText: "~/.app",
    summary: "Where data lives.",
  }),
  password: setting({
    name: "APP_PASSWORD",
    type: textType,
    secret: true,
    summary: "Opens the door.",
  }),
  log: {
    level: setting({
      name: "APP_LOG_LEVEL",
      type: choice(["debug", "info"]),
      default: "info",
      summary: "What is logged.",
    }),
    keepMs: setting({
      name: "APP_LOG_KEEP",
      type: durationType,
      default: 60_000,
      summary: "How long.",
    }),
  },
  databaseUrl: setting({
    name: "APP_DATABASE_URL",
    type: url(["postgres"]),
    default: null,
    summary: "Which database.",
  }),
});

const env = { HOME: "/home/ada" };

function errorOf(read: () => unknown): SettingsError {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  throw new Error("The settings were read without an error");
}

describe("reading settings", () => {
  test("what nobody sets has its default, null where there is none", () => {
    expect(settings.read({ env })).toEqual({
      port: 4200,
      home: "/home/ada/.app",
      password: null,
      log: { level: "info", keepMs: 60_000 },
      databaseUrl: null,
    });
  });

  test("values have the types of their definitions", () => {
    const values = settings.read({ env });
    expectTypeOf(values.port).toEqualTypeOf<number>();
    expectTypeOf(values.password).toEqualTypeOf<string | null>();
    expectTypeOf(values.log.level).toEqualTypeOf<"debug" | "info">();
    expectTypeOf(values.databaseUrl).toEqualTypeOf<string | null>();
  });

  test("the environment sets, and an empty variable counts as not set", () => {
    const values = settings.read({
      env: { ...env, APP_PORT: "80", APP_LOG_KEEP: "2m", APP_HOME: "" },
    });
    expect(values.port).toBe(80);
    expect(values.log.keepMs).toBe(120_000);
    expect(values.home).toBe("/home/ada/.app");
  });

  test("the command line wins over the environment, in groups too", () => {
    const values = settings.read({
      env: { ...env, APP_PORT: "80", APP_LOG_LEVEL: "info" },
      overrides: {
        port: { flag: "--port", text: "81" },
        "log.level": { flag: "--log-level", text: "debug" },
        home: undefined,
      },
    });
    expect(values.port).toBe(81);
    expect(values.log.level).toBe("debug");
  });

  test("the values cannot be changed", () => {
    const values = settings.read({ env });
    expect(Object.isFrozen(values) && Object.isFrozen(values.log)).toBe(true);
  });

  test("two definitions may not share a name", () => {
    const twin = setting({ name: "APP_PORT", type: port, default: 1, summary: "Twin." });
    expect(() => defineSettings({ one: twin, group: { two: twin } })).toThrow("APP_PORT");
  });
});

describe("settings that cannot be used", () => {
  test("are all named at once, each with what was given, what is expected and where it came from", () => {
    const error = errorOf(() =>
      settings.read({
        env: { ...env, APP_PORT: "80", APP_LOG_LEVEL: "loud", APP_LOG_KEEP: "long" },
        overrides: { port: { flag: "--port", text: "70000" } },
      }),
    );
    expect(error.message).toBe(
      [
        "3 settings cannot be used:",
        '  --port on the command line (APP_PORT) is "70000"; expected a port number from 0 to 65535 (0 takes any free port).',
        '  APP_LOG_LEVEL in the environment is "loud"; expected one of debug, info.',
        '  APP_LOG_KEEP in the environment is "long"; expected a duration such as 500ms, 30s, 5m, 2h or 7d (a plain number counts seconds).',
      ].join("\n"),
    );
    expect(error.problems.map((problem) => problem.name)).toEqual([
      "APP_PORT",
      "APP_LOG_LEVEL",
      "APP_LOG_KEEP",
    ]);
  });

  test("do not show the value of a secret", () => {
    const secret = defineSettings({
      pin: setting({ name: "APP_PIN", type: port, default: 1, secret: true, summary: "A pin." }),
    });
    const error = errorOf(() => secret.read({ env: { APP_PIN: "hunter2" } }));
    expect(error.message).not.toContain("hunter2");
    expect(error.message).toContain("APP_PIN in the environment is ********");
  });

  test.each(["mysql://u:hunter2@h/db", "postgres//u:hunter2@h/db", "u:hunter2@h"])(
    "do not show the password in %s",
    (given) => {
      const error = errorOf(() => settings.read({ env: { ...env, APP_DATABASE_URL: given } }));
      expect(JSON.stringify([error.message, error.problems])).not.toContain("hunter2");
    },
  );

  test("are shown in one line and cut to a readable length", () => {
    const error = errorOf(() =>
      settings.read({ env: { ...env, APP_PORT: `1\n${"x".repeat(500)}` } }),
    );
    expect(error.message.split("\n")).toHaveLength(2);
    expect(error.message.length).toBeLessThan(300);
  });
});
