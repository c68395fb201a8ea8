import "./automations.css";
import type { Automation } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { useRefusal } from "../../api/rights.ts";
import { useSwitch } from "../../ui/use-switch.ts";

export function EnabledSwitch({
  automation: { id, name, enabled },
}: {
  readonly automation: Automation;
}): JSX.Element {
  const queries = useQueryClient();
  const refusal = useRefusal("write");
  const [isOn, flip] = useSwitch(enabled, async (on) => {
    await api.automations.switch(id, { enabled: on });
    await queries.invalidateQueries({ queryKey: ["automations"] });
  });
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={isOn}
      aria-label={`Enable ${name}`}
      title={refusal}
      disabled={refusal !== undefined}
      onClick={flip}
    >
      <i />
      <span aria-hidden="true">{isOn ? "On" : "Off"}</span>
    </button>
  );
}
