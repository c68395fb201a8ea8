import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { navigate } from "../../app/location.ts";
import type { PageProps } from "../../app/page-props.ts";
import { errorText } from "../../lib/error-text.ts";
import { Notice, Page, Skeleton } from "../../ui/surface.tsx";
import { toast } from "../../ui/toasts.tsx";
import { automationOf } from "./automations-queries.ts";
import { Builder } from "./builder.tsx";
import { draftOf } from "./draft.ts";

export function EditAutomationPage({ params }: PageProps): JSX.Element {
  const id = params["id"] ?? "";
  const { data, error } = useQuery(automationOf(id));
  const queries = useQueryClient();
  return (
    <Page
      title={data === undefined ? "Change an automation" : `Change ${data.name}`}
      crumbs={[
        { label: "Automations", to: "/automations" },
        ...(data ? [{ label: data.name, to: `/automations/${id}` }] : []),
      ]}
    >
      {error && <Notice kind="error">{errorText(error)}</Notice>}
      {data === undefined && !error && <Skeleton lines={8} />}
      {data && (
        <Builder
          start={draftOf(data)}
          verb="Save"
          onSave={async (automation) => {
            await api.automations.replace(id, automation);
            await queries.invalidateQueries({ queryKey: ["automations"] });
            toast("good", "Saved");
            navigate(`/automations/${id}`);
          }}
        />
      )}
    </Page>
  );
}
