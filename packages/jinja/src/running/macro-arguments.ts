import type { Expression, MacroNode } from "../language/nodes.ts";
import { TemplateError } from "../template-error.ts";
import { type Arguments, Dict, Tuple, Undefined, type Value } from "../values/kinds.ts";

interface Binding {
  readonly set: (name: string, value: Value) => void;
  readonly work: (expression: Expression) => Value;
}

/** Gives the parameters of a macro their values; what is left goes where its body asks for it. */
export function bindParameters(node: MacroNode, args: Arguments, { set, work }: Binding): void {
  const { parameters, asks, name: macro } = node;
  const named = new Map(args.named);
  for (const [place, { name, fallback }] of parameters.entries()) {
    const positional = args.positional[place];
    if (positional !== undefined && named.has(name))
      throw new TemplateError(`the macro ${macro} got '${name}' twice`);
    const given = positional === undefined ? named.get(name) : positional;
    named.delete(name);
    if (given !== undefined) set(name, given);
    else
      set(
        name,
        fallback === null ? new Undefined(`'${name}' of the macro ${macro}`) : work(fallback),
      );
  }
  const rest = args.positional.slice(parameters.length);
  const caller = named.get("caller");
  if (asks.has("caller")) set("caller", caller ?? new Undefined("'caller'"));
  if (asks.has("caller")) named.delete("caller");
  if (asks.has("varargs")) set("varargs", new Tuple(rest));
  else if (rest.length > 0)
    throw new TemplateError(`the macro ${macro} takes ${parameters.length} arguments at most`);
  if (asks.has("kwargs")) set("kwargs", Dict.of(named));
  else if (named.size > 0)
    throw new TemplateError(
      named.has("caller")
        ? `the macro ${macro} does not ask for a caller`
        : `the macro ${macro} takes no argument named '${[...named.keys()].join("', '")}'`,
    );
}
