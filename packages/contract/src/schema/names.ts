import { type TString, type TStringOptions, Type } from "typebox";

const MAX_NAME_LENGTH = 255;

/**
 * For names that people make of paths and parameters. They stand in indexes, whose entries
 * PostgreSQL bounds to 2,704 bytes.
 */
export const LONG = { maxLength: 1000, maxBytes: 2500 } as const;

/** Names stand in addresses and in queries, so these characters would be misread there. */
const NAME_PATTERN = "^[^/%&><]+$";
const SLUG_PATTERN = "^[a-z0-9-]*$";
const IDENTIFIER_PATTERN = "^[a-z0-9_-]*$";

/** One or more characters, none of `/ % & > <`. */
export function Name(options: TStringOptions = {}): TString {
  return Type.String({ pattern: NAME_PATTERN, maxLength: MAX_NAME_LENGTH, ...options });
}

/** Lower-case letters, digits and dashes. */
export function Slug(options: TStringOptions = {}): TString {
  return Type.String({ pattern: SLUG_PATTERN, maxLength: MAX_NAME_LENGTH, ...options });
}

/** Lower-case letters, digits, dashes and underscores. */
export function Identifier(options: TStringOptions = {}): TString {
  return Type.String({ pattern: IDENTIFIER_PATTERN, maxLength: MAX_NAME_LENGTH, ...options });
}
