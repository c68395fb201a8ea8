import { openSession } from "../report/session.ts";

/** A block with its values, secrets included. Do not log it. */
export interface Block<Values = Readonly<Record<string, unknown>>> {
  readonly id: string;
  readonly name: string | null;
  readonly values: Values;
}

/**
 * Loads a block by its type and name.
 *
 * @example const { values } = await loadBlock<{ value: string }>("secret/api-token");
 */
export async function loadBlock<Values = Readonly<Record<string, unknown>>>(
  slug: string,
): Promise<Block<Values>> {
  const [type, name, ...rest] = slug.split("/");
  if (!type || !name || rest.length > 0) {
    throw new TypeError(`A block is named as type/name, such as secret/api-token, not ${slug}`);
  }
  const {
    id,
    name: stored,
    data,
  } = await openSession().client.blockDocuments.readByName(type, name, {
    include_secrets: true,
  });
  return { id, name: stored, values: data as Values };
}
