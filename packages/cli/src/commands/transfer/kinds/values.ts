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
  plan({ to }, { row: { name, value, tags } }) {
    return () => to.client.variables.create({ name, value, tags });
  },
};

/** Made by deployments and for tags, and transferred with those. */
const OWNED = /^(?:deployment|tag):/;

export const globalLimitKind: TransferKind<ConcurrencyLimitState> = {
  kind: "global-concurrency-limit",
  find: async ({ client }) =>
    (await collect(client.concurrencyLimits.each()))
      .filter(({ name }) => !OWNED.test(name))
      .map((row) => ({ id: row.id, name: row.name, row })),
  plan({ to }, { row: { name, active, limit, slot_decay_per_second, key } }) {
    return () =>
      to.client.concurrencyLimits.create({ name, active, limit, slot_decay_per_second, key });
  },
};

export const tagLimitKind: TransferKind<TagLimit> = {
  kind: "concurrency-limit",
  find: async ({ client }) =>
    (await collect(client.tagLimits.each())).map((row) => ({ id: row.id, name: row.tag, row })),
  plan({ to }, { row: { tag, concurrency_limit } }) {
    return () => to.client.tagLimits.set({ tag, concurrency_limit });
  },
};
