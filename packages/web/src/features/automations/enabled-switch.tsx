import "./automations.css";
import type { Automation } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { toastError } from "../../ui/toasts.tsx";

/** Shows at once what was chosen, and goes back when the server refuses. */
export function EnabledSwitch({
  automation: { id, name, enabled },
}: {
  readonly automation: Automation;
}): JSX.Element {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<boolean>();
  const isOn = chosen ?? enabled;
  const flip = async () => {
    setChosen(!isOn);
    try {
      await api.automations.switch(id, { enabled: !isOn });
      await queries.invalidateQueries({ queryKey: ["automations"] });
    } catch (error) {
      toastError(error);
    }
    setChosen(undefined);
  };
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={isOn}
      aria-label={`${name} is switched on`}
      onClick={() => void flip()}
    >
      <i />
      <span aria-hidden="true">{isOn ? "On" : "Off"}</span>
    </button>
  );
}
