import { suggestion } from "../output/alike.ts";
import { UsageError } from "../output/fail.ts";
import { ambiguousName, type NamesakeFields } from "./ambiguous-name.ts";
import { collect } from "./collect.ts";
import { isUuid, orNull } from "./find.ts";

interface NamedThing extends NamesakeFields {
  readonly name: string;
}

/** Where things of a kind are found. */
export interface NamedCollection<Row extends NamedThing> {
  /** As people say it, such as `status page`; its noun is the same with hyphens. */
  readonly what: string;
  readonly read: (id: string) => Promise<Row>;
  /** Those that may have the name; all of them where none is given. */
  readonly each: (name?: string) => AsyncIterable<Row>;
}

/** A thing by its id or, where that is unambiguous, by its name. */
export async function findNamed<Row extends NamedThing>(
  { what, read, each }: NamedCollection<Row>,
  name: string,
): Promise<Row> {
  const byId = isUuid(name) ? await orNull(read(name)) : null;
  if (byId !== null) return byId;
  const rows = (await collect(each(name))).filter((one) => one.name === name);
  const [row, ...others] = rows;
  if (row === undefined) {
    const names = (await collect(each())).map((one) => one.name);
    const hint =
      suggestion(name, names) || ` \`orchestrator ${what.replace(" ", "-")} ls\` lists them.`;
    throw new UsageError(`There is no ${what} ${name}.${hint}`);
  }
  if (others.length === 0) return row;
  throw ambiguousName({ what, name }, rows);
}
