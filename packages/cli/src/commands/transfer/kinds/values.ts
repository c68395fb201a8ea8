// What refers to nothing else: variables and limits.

import type { ConcurrencyLimitState, TagLimit, Variable } from "@orchestrator/contract";
import { collect } from "../../../io/collect.ts";
import type { TransferKind } from "../transfer-kind.ts";

export const variableKind: TransferKind<Variable> = {
  kind: "variable",
  find: async ({ client }) =>
    (await collect(client.variables.each({ sort: "NAME_ASC" }))).map((row) => ({
      id: row.id,
      name: row.name,
      row,
    })),
  plan: ({ to }, { row }) => {
    return () => to.client.variables.create(variableFields(row));
  },
};

export const variableFields = ({ id: _id, created: _c, updated: _u, ...fields }: Variable) =>
  fields;

/** Made by deployments and for tags, and transferred with those. */
const OWNED = /^(?:deployment|tag):/;

export const globalLimitKind: TransferKind<ConcurrencyLimitState> = {
  kind: "global-concurrency-limit",
  find: async ({ client }) =>
    (await collect(client.concurrencyLimits.each()))
      .filter(({ name }) => !OWNED.test(name))
      .map((row) => ({ id: row.id, name: row.name, row })),
  plan: ({ to }, { row }) => {
    return () => to.client.concurrencyLimits.create(limitFields(row));
  },
};

export function limitFields(row: ConcurrencyLimitState) {
  const { id: _id, created: _c, updated: _u, active_slots: _inUse, ...fields } = row;
  return fields;
}

export const tagLimitKind: TransferKind<TagLimit> = {
  kind: "concurrency-limit",
  find: async ({ client }) =>
    (await collect(client.tagLimits.each())).map((row) => ({ id: row.id, name: row.tag, row })),
  plan: ({ to }, { row }) => {
    return () => to.client.tagLimits.set(tagLimitFields(row));
  },
};

export function tagLimitFields(row: TagLimit) {
  const { id: _id, created: _c, updated: _u, active_slots: _inUse, ...fields } = row;
  return fields;
}
