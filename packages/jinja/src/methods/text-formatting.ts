// Methods that put values of any kind into a text.

import { formatBraces } from "../formats/brace-format.ts";
import { TemplateError } from "../template-error.ts";
import { bindArguments } from "../values/arguments.ts";
import { itemsOf } from "../values/iterating.ts";
import {
  type Arguments,
  charactersOf,
  Dict,
  isText,
  SafeText,
  type Text,
  type Value,
} from "../values/kinds.ts";
import { escaped, escapeHtml } from "../values/markup.ts";
import type { RenderRun } from "../values/run.ts";
import { typeName } from "../values/type-names.ts";
import type { Methods } from "./method.ts";

function format(self: Text, args: Arguments, run: RenderRun): Value {
  const text = charactersOf(self);
  if (!(self instanceof SafeText)) return formatBraces(run, text, args);
  const safe = {
    positional: args.positional.map(escapedText),
    named: new Map([...args.named].map(([name, value]) => [name, escapedText(value)])),
  };
  return new SafeText(formatBraces(run, text, safe));
}

const escapedText = (value: Value): Value =>
  isText(value)
    ? value instanceof SafeText
      ? value.text
      : escapeHtml(charactersOf(value))
    : value;

export const FORMAT_METHODS: Methods<Text> = {
  format,
  format_map: (self, args, run) => {
    const [map = null] = bindArguments(args, ["mapping"]);
    if (!(map instanceof Dict)) throw new TemplateError("format_map takes a dict");
    run.meter.spend(map.size);
    const named = new Map(
      map.entries().flatMap(([key, value]) => (isText(key) ? [[charactersOf(key), value]] : [])),
    );
    return format(self, { positional: [], named }, run);
  },
  join: (self, args, run) => {
    const [list = null] = bindArguments(args, ["iterable"]);
    const parts = itemsOf(run, list).map((item) => {
      if (!isText(item))
        throw new TemplateError(`a text is joined of texts, not of a ${typeName(item)}`);
      return self instanceof SafeText ? escaped(item).text : charactersOf(item);
    });
    const separator = charactersOf(self);
    run.meter.spendText(parts.reduce((sum, part) => sum + part.length + separator.length, 0));
    const text = parts.join(separator);
    return self instanceof SafeText ? new SafeText(text) : text;
  },
  encode: () => {
    throw new TemplateError("there are no bytes here");
  },
};
