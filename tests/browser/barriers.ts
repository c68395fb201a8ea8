// What a person with a screen reader, a keyboard or weak sight would stumble over: serious and
// critical findings of axe.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** All that the theme decides: it sets colors and nothing else. */
const RULES_OF_COLORS = ["color-contrast", "link-in-text-block"];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

type Axe = { run: (options: object) => Promise<{ violations: Violation[] }> };

export const barriersOf = (page: Page): Promise<string[]> => check(page, {});

async function check(page: Page, some: object): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  const violations = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      return (await axe.run(options)).violations;
    },
    // Of rules that hold, nothing is worked out that nobody reads.
    { resultTypes: ["violations"], ...some },
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** All rules in the light theme, and those about colors in the dark one as well. */
export async function barriersInEitherTheme(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, rules] of [
    ["light", {}],
    ["dark", { runOnly: { type: "rule", values: RULES_OF_COLORS } }],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`[data-theme=${colorScheme}]`).waitFor();
    found.push(...(await check(page, rules)));
  }
  return found;
}

/** The same, once the page has all that it asks for. */
export async function barriersInBothThemes(page: Page): Promise<string[]> {
  await page.locator("main h1").waitFor();
  await page.waitForLoadState("networkidle");
  return barriersInEitherTheme(page);
}
