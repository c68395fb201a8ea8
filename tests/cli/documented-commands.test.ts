// Every page of the documentation whose commands a reader can type is in the list of some test.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readPageBlocks } from "../support/page-blocks.ts";

const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(fileURLToPath(new URL(`../../${folder}/`, import.meta.url)), {
    recursive: true,
    encoding: "utf8",
  }).filter((file) => file.endsWith(ending));

test("every page that shows commands is run by a test", () => {
  const pages = filesBelow("docs", ".md").filter((page) =>
    readPageBlocks(page).some(({ language }) => language === "sh"),
  );
  const tests = filesBelow("tests", ".test.ts").map((file) =>
    readFileSync(new URL(`../${file}`, import.meta.url), "utf8"),
  );
  expect(pages).not.toHaveLength(0);
  expect(pages.filter((page) => !tests.some((text) => text.includes(`"${page}"`)))).toEqual([]);
});
