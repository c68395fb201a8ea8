/**
 * What the server fills in when it is left out, though the schema, read after that, calls it
 * required.
 */
type FilledIn =
  | "active"
  | "active_slots"
  | "denied_slots"
  | "flow_run_limit"
  | "include_secrets"
  | "lease_duration"
  | "limit"
  | "mode"
  | "offset"
  | "page"
  | "slot_decay_per_second"
  | "target";

/** What a caller has to give where the server expects this. */
export type OptionalDefaults<Value> = Omit<Value, FilledIn> &
  Partial<Pick<Value, Extract<keyof Value, FilledIn>>>;

/** With these left to the client. */
export type WithOptional<Value, Names extends keyof Value> = Omit<Value, Names> &
  Partial<Pick<Value, Names>>;
