import { readTags, type TemplateTag } from "./template-tags.ts";

export interface TemplateFault {
  readonly line: number;
  readonly message: string;
}

const MAX_CHARACTERS = 100_000;
const MAX_LOOPS = 10;
const MAX_NESTING = 2;

/** What a template may not do, found before it runs. */
export function findExcess(text: string): TemplateFault | null {
  if (text.length > MAX_CHARACTERS) {
    return { line: 1, message: `the template is longer than ${MAX_CHARACTERS} characters` };
  }
  let loops = 0;
  let nesting = 0;
  for (const { kind, line, words } of readTags(text)) {
    if (kind !== "statement") continue;
    if (words[0] === "endfor") nesting -= 1;
    if (words[0] !== "for") continue;
    loops += 1;
    nesting += 1;
    if (loops > MAX_LOOPS) return { line, message: `there are more than ${MAX_LOOPS} loops` };
    if (nesting > MAX_NESTING) {
      return { line, message: `loops are nested more than ${MAX_NESTING} deep` };
    }
  }
  return null;
}

export interface NamedFilter {
  readonly name: string;
  readonly line: number;
}

/** The filters a template uses; the engine looks for them only when it comes to their place. */
export function namedFilters(text: string): NamedFilter[] {
  return readTags(text).flatMap((tag) => filtersOf(tag).map((name) => ({ name, line: tag.line })));
}

function filtersOf({ kind, words }: TemplateTag): string[] {
  const names = words.filter((_word, index) => words[index - 1] === "|");
  const [first, second] = words;
  return kind === "statement" && first === "filter" && second !== undefined
    ? [second, ...names]
    : names;
}
