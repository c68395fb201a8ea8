import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingsInForce, unknownSettingWarnings } from "./settings-report.ts";

const DOCS = new URL("../../../docs/", import.meta.url);
const FENCE = /^```[^\n]*\n([^]*?)^```/gm;
const ASSIGNMENT = /\b((?:ORCHESTRATOR|UPTIME)_[A-Z_]+)=('[^']*'|"[^"]*"|\S+)/g;

interface Shown {
  readonly page: string;
  readonly name: string;
  readonly value: string;
}

/**
 * Every setting that a command or file of the documentation sets, but those that a command
 * computes.
 */
function settingsShown(): Shown[] {
  const pages = readdirSync(DOCS, { recursive: true, encoding: "utf8" });
  return pages
    .filter((page) => page.endsWith(".md"))
    .flatMap((page) => {
      const fences = readFileSync(new URL(page, DOCS), "utf8").matchAll(FENCE);
      const assignments = [...fences].flatMap(([, code = ""]) => [...code.matchAll(ASSIGNMENT)]);
      return assignments.map(([, name = "", value = ""]) => ({
        page,
        name,
        value: value.replace(/^(["'])(.*)\1$/, "$2"),
      }));
    })
    .filter(({ value }) => !/^\$|^<|…/.test(value));
}

test("settings in the documentation exist and are accepted", () => {
  const shown = settingsShown();
  expect(shown.length).toBeGreaterThan(30);
  for (const { page, name, value } of shown) {
    const env = { [name]: value };
    expect.soft(unknownSettingWarnings(env), page).toEqual([]);
    expect.soft(() => settingsInForce(env), `${page}: ${name}=${value}`).not.toThrow();
  }
});
