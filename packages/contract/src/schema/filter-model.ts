import {
  type Static,
  type TObject,
  type TOptional,
  type TSchema,
  type TUnsafe,
  Type,
} from "typebox";
import { Model, type ModelOptions } from "./models.ts";
import { Nullable } from "./nullable.ts";
import { StringEnum } from "./scalars.ts";

/**
 * The operators of one attribute with the schemas of their values, or a filter of nested
 * attributes.
 */
type AttributeFilter = Readonly<Record<string, TSchema>> | TObject;

type OptionalNullable<Schema extends TSchema> = TOptional<TUnsafe<Static<Schema> | null>>;
type OperatorModel<Operators> = TObject<{
  [Name in keyof Operators]: Operators[Name] extends TSchema
    ? OptionalNullable<Operators[Name]>
    : never;
}>;
type FilterProperties<Attributes> = {
  [Name in keyof Attributes]: Attributes[Name] extends TObject
    ? OptionalNullable<Attributes[Name]>
    : OptionalNullable<OperatorModel<Attributes[Name]>>;
};

const join = () => ({
  operator: Type.Optional(
    StringEnum(["and_", "or_"], {
      description: "How the conditions beside it are joined; `and_` when left out",
    }),
  ),
});

/**
 * Conditions by attribute and operator. Everything may be left out or null; what is unknown is
 * refused.
 */
export function FilterModel<Attributes extends Readonly<Record<string, AttributeFilter>>>(
  attributes: Attributes,
  options: ModelOptions = {},
): TObject<FilterProperties<Attributes>> {
  const properties = Object.entries(attributes).map(([name, attribute]) => {
    const filter = isModel(attribute) ? attribute : operatorModel(attribute);
    return [name, Type.Optional(Nullable(filter))] as const;
  });
  return Model({ ...join(), ...Object.fromEntries(properties) }, options) as unknown as TObject<
    FilterProperties<Attributes>
  >;
}

/** Tags are compared one by one with those of each row; other lists are looked up at once. */
const MAX_TAGS = 100;
const MAX_VALUES = 10_000;
const MAX_TEXT = 1000;

/** The ends of a time range have two names each. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["after_", "since_"],
  ["before_", "until_"],
]);

function operatorModel(operators: Readonly<Record<string, TSchema>>): TObject {
  const properties: Record<string, TSchema> = join();
  const synonyms: Record<string, string> = {};
  for (const [name, value] of Object.entries(operators)) {
    const operand = Type.Optional(Nullable(bounded(name, value)));
    properties[name] = operand;
    const other = OTHER_NAMES.get(name);
    if (other === undefined) continue;
    properties[other] = operand;
    synonyms[other] = name;
  }
  return Model(properties, Object.keys(synonyms).length === 0 ? {} : { synonyms });
}

/** Every operand has a bound; a schema that sets its own keeps it. */
function bounded(operator: string, schema: TSchema): TSchema {
  const { type } = schema as { readonly type?: unknown };
  if (type === "string") return { maxLength: MAX_TEXT, ...schema };
  if (type !== "array") return schema;
  return { maxItems: operator === "all_" ? MAX_TAGS : MAX_VALUES, ...schema };
}

function isModel(attribute: AttributeFilter): attribute is TObject {
  return "additionalProperties" in attribute;
}
