import type { Migration } from "@orchestrator/kernel/storage";

// Slots are rows with holders: what a limit has in use is what its rows say, so it cannot drift. A
// limit that decays has no holders: `decaying_slots` were in use at `decaying_since`, and fewer
// every second after. A limit with a key has its slots once for every value of the key; without
// one, the value of every slot is empty.

export const concurrencyLimitsMigration: Migration = {
  name: "concurrency-limits",
  up: (t) => `
    create table concurrency_limits (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      slot_limit ${t.integer} not null,
      active ${t.flag} not null,
      slot_decay_per_second ${t.real} not null,
      decaying_slots ${t.real} not null,
      decaying_since ${t.time} not null,
      denied_slots ${t.real} not null,
      denied_since ${t.time} not null,
      avg_slot_occupancy_seconds ${t.real} not null,
      key ${t.json},
      unique (workspace_id, name)
    );
    create index concurrency_limits_closed on concurrency_limits (id) where slot_limit = 0;
    create table concurrency_leases (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      expires ${t.time},
      holder_type ${t.text},
      holder_id ${t.id}
    );
    create index concurrency_leases_by_expiry on concurrency_leases (expires, id);
    create index concurrency_leases_by_holder on concurrency_leases (holder_id);
    create table concurrency_slots (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      limit_id ${t.id} not null references concurrency_limits (id) on delete cascade,
      lease_id ${t.id} references concurrency_leases (id) on delete cascade,
      slots ${t.integer} not null,
      key_value ${t.text} not null default ''
    );
    create index concurrency_slots_by_limit on concurrency_slots (limit_id, key_value);
    create index concurrency_slots_by_lease on concurrency_slots (lease_id);`,
};
