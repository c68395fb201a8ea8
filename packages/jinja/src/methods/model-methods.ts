// What all objects with fields can be asked for: their fields as a dict or as JSON.

import { TemplateJsonWriter } from "../formats/json-text.ts";
import { TemplateError } from "../template-error.ts";
import { DateTime, SECOND_MICROS, TimeSpan, timeValueOf } from "../times/time-kinds.ts";
import { isoText, timeValueText } from "../times/time-text.ts";
import { bindArguments, textArgument, wholeArgument } from "../values/arguments.ts";
import {
  type Arguments,
  charactersOf,
  Dict,
  EnumMember,
  isSequence,
  isText,
  List,
  ObjectValue,
  Tuple,
  type Value,
} from "../values/kinds.ts";
import type { RenderRun } from "../values/run.ts";
import { isTrue } from "../values/truth.ts";
import { typeName } from "../values/type-names.ts";
import type { Methods } from "./method.ts";

const CHOICE = ["include?", "exclude?", "exclude_none?", "by_alias?"];
const MAX_DEPTH = 200;

interface Dumping {
  readonly run: RenderRun;
  /** Times and members of enumerations as the texts that JSON has for them. */
  readonly isJson: boolean;
}

function dump(model: ObjectValue, args: Arguments, run: RenderRun): Value {
  const [mode, ...choice] = bindArguments(args, ["mode?", ...CHOICE]);
  const isJson = textArgument(mode, "python") === "json";
  return chosen(dumped(model, { run, isJson }, 0), choice);
}

function dumpJson(model: ObjectValue, args: Arguments, run: RenderRun): Value {
  const [indent = null, ...choice] = bindArguments(args, ["indent?", ...CHOICE]);
  const value = chosen(dumped(model, { run, isJson: true }, 0), choice);
  const writer = new TemplateJsonWriter(run.meter, {
    indent: indent === null ? null : wholeArgument(indent, 0),
    isPlain: true,
  });
  return writer.write(value);
}

function dumped(value: Value, dumping: Dumping, depth: number): Value {
  dumping.run.meter.spend(1);
  if (depth > MAX_DEPTH) throw new TemplateError(`values are nested more than ${MAX_DEPTH} deep`);
  const inner = (each: Value): Value => dumped(each, dumping, depth + 1);
  if (value instanceof ObjectValue) return dumpedThing(value, inner);
  if (value instanceof Dict)
    return Dict.of(value.entries().map(([key, each]) => [key, inner(each)] as const));
  if (value instanceof List) return new List(value.items.map(inner));
  if (value instanceof Tuple) {
    const items = value.items.map(inner);
    return dumping.isJson ? new List(items) : new Tuple(items);
  }
  return dumping.isJson ? inJson(value) : value;
}

function dumpedThing(thing: ObjectValue, inner: (value: Value) => Value): Value {
  const data = thing.data();
  return data === undefined ? thing : inner(data);
}

function inJson(value: Value): Value {
  if (value instanceof EnumMember) return value.value;
  const time = timeValueOf(value);
  if (time === null) return value;
  if (time instanceof TimeSpan) return Number(time.micros) / Number(SECOND_MICROS);
  return time instanceof DateTime ? isoText(time).replace(/\+00:00$/, "Z") : timeValueText(time);
}

/** Only what stands at the top can be chosen. */
function chosen(value: Value, [include, exclude, exclude_none]: Choice): Value {
  if (!(value instanceof Dict)) return value;
  const [wanted, unwanted] = [namesIn(include), namesIn(exclude)];
  const isNoneLeftOut = exclude_none !== undefined && isTrue(exclude_none);
  const entries = value.entries().filter(([key, each]) => {
    const name = isText(key) ? charactersOf(key) : "";
    const isWanted = (wanted === null || wanted.has(name)) && !unwanted?.has(name);
    return isWanted && !(isNoneLeftOut && each === null);
  });
  return Dict.of(entries);
}

type Choice = readonly (Value | undefined)[];

function namesIn(value: Value | undefined): ReadonlySet<string> | null {
  if (value === undefined || value === null) return null;
  const keys = value instanceof Dict ? value.keys() : isSequence(value) ? value.items : null;
  if (keys === null) throw new TemplateError(`takes names, not a ${typeName(value)}`);
  return new Set(keys.filter(isText).map(charactersOf));
}

export const MODEL_METHODS: Methods<ObjectValue> = {
  model_dump: dump,
  model_dump_json: dumpJson,
  dict: dump,
  json: dumpJson,
};
