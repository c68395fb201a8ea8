import {
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from "typebox";

export interface ModelOptions {
  /** Gives the schema a name: documents describe it once, and the server compiles it once. */
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  /** Nothing of it is repeated in an error. */
  readonly secret?: true;
  /** Properties that are another name of one: the server moves what is given there. */
  readonly synonyms?: Readonly<Record<string, string>>;
}

export interface ParameterOptions extends ModelOptions {
  /** The parameter that a key `filter` stands for: its attributes may be given there directly. */
  readonly ownFilter?: string;
}

/** One record: keys it does not know are refused. */
export function Model<Properties extends TProperties>(
  properties: Properties,
  options: ModelOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/**
 * A body of several named parameters: an explicit null means not given, unknown names are ignored,
 * and where nothing is required there need be no body at all. Also the shape of a query string.
 */
export function NamedParameters<Properties extends TProperties>(
  properties: Properties,
  options: ParameterOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { nullAsAbsent: true, ...options });
}

/** One of several records, told apart by a member that each of them fixes to a word of its own. */
export function TaggedUnion<Schemas extends TSchema[]>(
  tag: string,
  schemas: [...Schemas],
  options: ModelOptions = {},
): TUnsafe<Static<Schemas[number]>> {
  return Type.Unsafe<Static<Schemas[number]>>({
    type: "object",
    discriminator: { propertyName: tag },
    oneOf: schemas,
    ...options,
  });
}
