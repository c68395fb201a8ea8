import { describe, expect, test } from "vitest";
import { defineSettings } from "./define-settings.ts";
import { describeSettings, settingsReference, viewSettings } from "./describe-settings.ts";
import { setting } from "./setting.ts";
import { choices, durationType, textType, userHomeFolder } from "./setting-types.ts";

const settings = defineSettings({
  home: setting({
    name: "APP_HOME",
    type: textType,
    default: userHomeFolder,
    defaultText: "~",
    summary: "Where data lives.",
  }),
  apiKey: setting({ name: "APP_KEY", type: textType, secret: true, summary: "Opens the door." }),
  spareKey: setting({ name: "APP_SPARE_KEY", type: textType, secret: true, summary: "Opens too." }),
  loops: {
    everyMs: setting({
      name: "APP_EVERY",
      type: durationType,
      default: 90_000,
      summary: "How often.",
    }),
    parts: setting({
      name: "APP_PARTS",
      type: choices(["a", "b"]),
      default: ["a", "b"],
      summary: "Which parts.",
    }),
  },
  databaseUrl: setting({ name: "APP_DB", type: textType, summary: "Which database." }),
});

describe("the reference", () => {
  test("has a row for each setting, in the order of definition", () => {
    expect(describeSettings(settings.definitions).map((row) => row.name)).toEqual([
      "APP_HOME",
      "APP_KEY",
      "APP_SPARE_KEY",
      "APP_EVERY",
      "APP_PARTS",
      "APP_DB",
    ]);
    expect(describeSettings(settings.definitions)[3]).toEqual({
      name: "APP_EVERY",
      type: durationType.expected,
      default: "90s",
      summary: "How often.",
      secret: false,
    });
  });

  test("has a section for each setting that is the same on every machine", () => {
    const page = settingsReference(settings.definitions);
    expect(page).toContain(
      "### `APP_HOME`\n\nWhere data lives.\n\n- Value: text that is not empty\n- Default: `~`\n\n### `APP_KEY`",
    );
    expect(page).toContain("- Default: none\n- Secret: never shown or logged\n");
    expect(page).toContain("- Default: `a,b`\n");
    expect(page).toMatch(/[^\n]\n$/);
  });
});

test("the view shows values by group, hides secrets and passwords, and leaves null as null", () => {
  const env = { HOME: "/h", APP_KEY: "hunter2", APP_DB: "postgres://u:hunter2@h/db" };
  expect(viewSettings(settings.definitions, settings.read({ env }))).toEqual({
    home: "/h",
    api_key: "********",
    spare_key: null,
    loops: { every_ms: 90_000, parts: ["a", "b"] },
    database_url: "postgres://u:***@h/db",
  });
});
