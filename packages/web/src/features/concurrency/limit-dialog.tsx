import type { ConcurrencyLimitState } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";

/** A new limit, or the numbers of one that is there. */
export function LimitDialog({
  limit,
  onClose,
}: {
  readonly limit: ConcurrencyLimitState | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [name, setName] = useState(limit?.name ?? "");
  const [most, setMost] = useState(String(limit?.limit ?? 1));
  const [decay, setDecay] = useState(String(limit?.slot_decay_per_second ?? 0));
  const save = async () => {
    const given = { name, limit: Number(most), slot_decay_per_second: Number(decay) };
    if (limit === undefined) await api.concurrencyLimits.create(given);
    else await api.concurrencyLimits.update(limit.id, given);
    await queries.invalidateQueries({ queryKey: ["concurrency-limits"] });
  };
  return (
    <SaveDialog
      title={limit === undefined ? "New limit" : `Edit ${limit.name}`}
      verb={limit === undefined ? "Create" : "Save"}
      canSave={name !== "" && most !== "" && decay !== ""}
      onSave={save}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onText={setName} />
      <TextField label="Limit" type="number" min={0} value={most} onText={setMost} />
      <TextField
        label="Slot decay per second"
        hint="Above 0 makes it a rate limit; with 0, holders release their slots"
        type="number"
        min={0}
        step="any"
        value={decay}
        onText={setDecay}
      />
    </SaveDialog>
  );
}
