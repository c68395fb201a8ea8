import "./automations.css";
import { useQueryClient } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { PageLink } from "../../navigation/link.tsx";
import { navigate, pathWith, useSearch } from "../../navigation/location.ts";
import { Icon } from "../../ui/icons.tsx";
import { PageFrame } from "../../ui/surface.tsx";
import { toast } from "../../ui/toasts.tsx";
import { Builder } from "./builder.tsx";
import { TEMPLATES } from "./templates.ts";

const CRUMBS = [{ label: "Automations", to: "/automations" }];

export function NewAutomationPage(): JSX.Element {
  const [{ template }] = useSearch((search) => ({
    template: search.get("template") ?? undefined,
  }));
  const queries = useQueryClient();
  const chosen = TEMPLATES.find(({ key }) => key === template);
  if (chosen === undefined)
    return (
      <PageFrame title="New automation" crumbs={CRUMBS} about="Choose a template.">
        <div className="grid">
          {TEMPLATES.map(({ key, title, about, icon }) => (
            <PageLink
              key={key}
              className="template"
              to={pathWith("/automations/new", { template: key })}
            >
              <Icon name={icon} size={20} />
              <strong>{title}</strong>
              <span className="soft">{about}</span>
            </PageLink>
          ))}
        </div>
      </PageFrame>
    );
  return (
    <PageFrame title={chosen.key === "blank" ? "New automation" : chosen.title} crumbs={CRUMBS}>
      <Builder
        key={chosen.key}
        start={chosen.draft}
        verb="Create automation"
        onSave={async (automation) => {
          const { id, name } = await api.automations.create(automation);
          await queries.invalidateQueries({ queryKey: ["automations"] });
          toast("good", `Created ${name}`);
          navigate(`/automations/${id}`);
        }}
      />
    </PageFrame>
  );
}
