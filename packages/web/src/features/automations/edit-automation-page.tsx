import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { navigate } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { NotShown } from "../../ui/not-shown.tsx";
import { PageFrame } from "../../ui/surface.tsx";
import { toast } from "../../ui/toasts.tsx";
import { editedAutomation } from "./automations-queries.ts";
import { Builder } from "./builder.tsx";
import { automationDraftOf } from "./draft.ts";

const LIST = { label: "Automations", to: "/automations" };

export function EditAutomationPage({ params }: PageProps): JSX.Element {
  const id = params["id"] ?? "";
  const { data, error } = useQuery(editedAutomation(id));
  const queries = useQueryClient();
  return (
    <PageFrame
      title={data === undefined ? "Edit automation" : `Edit ${data.name}`}
      crumbs={[LIST, ...(data ? [{ label: data.name, to: `/automations/${id}` }] : [])]}
    >
      {data === undefined && <NotShown error={error} what="automation" list={LIST} />}
      {data && (
        <Builder
          start={automationDraftOf(data)}
          verb="Save"
          onSave={async (automation) => {
            await api.automations.replace(id, automation);
            await queries.invalidateQueries({ queryKey: ["automations"] });
            toast("good", "Saved");
            navigate(`/automations/${id}`);
          }}
        />
      )}
    </PageFrame>
  );
}
