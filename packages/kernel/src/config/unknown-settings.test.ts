import { describe, expect, test } from "vitest";
import { setting } from "./setting.ts";
import { port, textType } from "./setting-types.ts";
import { editDistance, findUnknownSettings } from "./unknown-settings.ts";

const definitions = {
  port: setting({ name: "APP_SERVER_PORT", type: port, default: 1, summary: "Port." }),
  group: { host: setting({ name: "APP_SERVER_HOST", type: textType, summary: "Host." }) },
};

function find(env: Record<string, string>) {
  return findUnknownSettings({
    definitions,
    env,
    prefixes: ["APP_", "ALSO_"],
    knownElsewhere: ["APP_API_URL"],
  });
}

describe("findUnknownSettings", () => {
  test("says nothing about settings that are known here or elsewhere, nor about other programs", () => {
    expect(
      find({ APP_SERVER_PORT: "1", APP_SERVER_HOST: "h", APP_API_URL: "u", PATH: "/bin" }),
    ).toEqual([]);
  });

  test("names the setting that was probably meant", () => {
    expect(find({ APP_SERVER_PROT: "1", APP_API_UL: "x" })).toEqual([
      {
        name: "APP_API_UL",
        suggestion: "APP_API_URL",
        message:
          "APP_API_UL is set in the environment but no setting has that name; did you mean APP_API_URL?",
      },
      {
        name: "APP_SERVER_PROT",
        suggestion: "APP_SERVER_PORT",
        message:
          "APP_SERVER_PROT is set in the environment but no setting has that name; did you mean APP_SERVER_PORT?",
      },
    ]);
  });

  test("suggests nothing where nothing is close, and never repeats the value", () => {
    const [unknown] = find({ ALSO_SOMETHING_ELSE: "hunter2" });
    expect(unknown).toEqual({
      name: "ALSO_SOMETHING_ELSE",
      suggestion: null,
      message: "ALSO_SOMETHING_ELSE is set in the environment but no setting has that name.",
    });
  });
});

test.each([
  ["", "", 0],
  ["abc", "abc", 0],
  ["abc", "acb", 1],
  ["abc", "abxc", 1],
  ["kitten", "sitting", 3],
  ["", "abc", 3],
])("from %j to %j is %d edits", (from, to, edits) => {
  expect(editDistance(from, to)).toBe(edits);
});
