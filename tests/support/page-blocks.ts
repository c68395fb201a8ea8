// The code blocks of a page of the documentation.
import { readFileSync } from "node:fs";

export interface PageBlock {
  readonly language: string;
  /** What follows the language: the name of a terminal or of a file. */
  readonly name: string;
  readonly text: string;
  /** The title of its section. */
  readonly title: string;
}

/** In their order; `page` is a path below `docs`. */
export function readPageBlocks(page: string): PageBlock[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  const blocks: PageBlock[] = [];
  let title = "";
  let open: { readonly info: string; readonly lines: string[] } | null = null;
  for (const line of text.split("\n")) {
    if (!line.startsWith("```")) {
      if (open !== null) open.lines.push(line);
      else if (line.startsWith("## ")) title = line.slice(3);
    } else if (open === null) open = { info: line.slice(3).trim(), lines: [] };
    else {
      const [language = "", name = ""] = open.info.split(" ");
      blocks.push({ language, name, text: `${open.lines.join("\n")}\n`, title });
      open = null;
    }
  }
  return blocks;
}

/** The commands of a block, without comments and empty lines. */
export const commandsOf = ({ text }: PageBlock): string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/(?:^|\s+)#.*$/, "").trim())
    .filter((line) => line !== "");
