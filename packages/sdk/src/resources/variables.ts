import { hasStatus } from "../report/connection.ts";
import { openSession } from "../report/session.ts";

const NOT_THERE = 404;
const TAKEN = 409;

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The value of a variable; the fallback, or undefined, when there is none of the name. */
export async function getVariable<Value = unknown>(
  name: string,
  fallback?: Value,
): Promise<Value | undefined> {
  try {
    const { value } = await openSession().client.variables.readByName(name);
    return value as Value;
  } catch (error) {
    if (hasStatus(error, NOT_THERE)) return fallback;
    throw error;
  }
}

/** Makes a variable, or gives the one of the name another value. */
export async function setVariable(
  name: string,
  value: Json,
  { tags }: { readonly tags?: readonly string[] | undefined } = {},
): Promise<void> {
  const { variables } = openSession().client;
  const fields = { value: value as never, ...(tags !== undefined && { tags: [...tags] }) };
  try {
    await variables.create({ name, ...fields });
  } catch (error) {
    if (!hasStatus(error, TAKEN)) throw error;
    await variables.updateByName(name, fields);
  }
}

export async function deleteVariable(name: string): Promise<void> {
  await openSession().client.variables.deleteByName(name);
}
