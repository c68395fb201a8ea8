import type { PageGroupInput, PagePart, StatusPage } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, type JSX, type SetStateAction, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField, Input, LabeledField, Select } from "../../ui/form.tsx";
import { Card, NoticeBox } from "../../ui/surface.tsx";
import { TextAreaField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { GroupEditor } from "./group-editor.tsx";
import { statusPageById } from "./status-page-queries.ts";

const THEMES = [
  ["auto", "Visitor's system setting"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;
const PARTS: readonly (readonly [PagePart, string])[] = [
  ["bars", "90-day history"],
  ["uptime", "Uptime"],
  ["latency", "Latency"],
  ["incidents", "Incidents"],
  ["maintenance", "Maintenance"],
];

/** What was changed and is not saved yet. */
export type PageChanges = Partial<
  Pick<StatusPage, "title" | "slug" | "description" | "theme" | "show"> & {
    groups: PageGroupInput[];
  }
>;

/** Everything on a page but its reports. Nothing changes for its readers until it is saved. */
export function PageEditor({
  page,
  changes,
  setChanges,
}: {
  readonly page: StatusPage;
  readonly changes: PageChanges;
  readonly setChanges: Dispatch<SetStateAction<PageChanges>>;
}): JSX.Element {
  const queries = useQueryClient();
  // What was left alone follows the page as others change it, and is not sent.
  const draft = { ...page, ...changes };
  const [error, setError] = useState<string>();
  const set = (some: PageChanges) => setChanges((before) => ({ ...before, ...some }));
  const setGroup = (at: number, group: PageGroupInput) =>
    set({ groups: draft.groups.map((one, i) => (i === at ? group : one)) });
  const move = (at: number, by: number) => {
    const groups = [...draft.groups];
    const [group] = groups.splice(at, 1);
    if (group) groups.splice(at + by, 0, group);
    set({ groups });
  };
  const save = async () => {
    try {
      const saved = await uptime.statusPages.update(page.id, changes);
      queries.setQueryData(statusPageById(page.id).queryKey, saved);
      setChanges((now) => withoutSaved(now, changes));
      setError(undefined);
      await queries.invalidateQueries({ queryKey: ["status-pages"] });
      toast("good", `Saved ${saved.title}`);
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  return (
    <div className="stack">
      <Card>
        <div className="stack">
          <div className="grid">
            <LabeledField label="Title">
              {(field) => (
                <Input
                  {...field}
                  value={draft.title}
                  onChange={({ target }) => set({ title: target.value })}
                />
              )}
            </LabeledField>
            <LabeledField label="Address" hint={`/uptime/status/${draft.slug}`}>
              {(field) => (
                <Input
                  {...field}
                  value={draft.slug}
                  onChange={({ target }) => set({ slug: target.value })}
                />
              )}
            </LabeledField>
            <LabeledField label="Theme">
              {(field) => (
                <Select
                  {...field}
                  options={THEMES}
                  value={draft.theme}
                  onValue={(theme) => set({ theme })}
                />
              )}
            </LabeledField>
          </div>
          <TextAreaField
            label="Description"
            rows={2}
            value={draft.description ?? ""}
            onText={(text) => set({ description: text === "" ? null : text })}
          />
          <div className="row" style={{ gap: "8px 20px" }} role="group" aria-label="Content">
            {PARTS.map(([part, label]) => (
              <CheckboxField
                key={part}
                label={label}
                checked={draft.show.includes(part)}
                onChange={({ target }) =>
                  set({
                    show: target.checked
                      ? [...draft.show, part]
                      : draft.show.filter((one) => one !== part),
                  })
                }
              />
            ))}
          </div>
        </div>
      </Card>
      {draft.groups.map((group, i) => (
        <GroupEditor
          key={i}
          group={group}
          place={i + 1}
          onChange={(changed) => setGroup(i, changed)}
          onRemove={() => set({ groups: draft.groups.filter((_, at) => at !== i) })}
          onUp={i === 0 ? undefined : () => move(i, -1)}
          onDown={i === draft.groups.length - 1 ? undefined : () => move(i, 1)}
        />
      ))}
      {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
      <div className="row">
        <Button
          icon="plus"
          onClick={() =>
            set({ groups: [...draft.groups, { name: "Services", monitors: [], tags: [] }] })
          }
        >
          Add group
        </Button>
        <Button needs="write" kind="primary" onClick={() => void save()}>
          Save
        </Button>
      </div>
    </div>
  );
}

/** What was changed again while it was being saved is still to be saved. */
function withoutSaved(now: PageChanges, saved: PageChanges): PageChanges {
  const left = Object.entries(now).filter(
    ([key, value]) => value !== saved[key as keyof PageChanges],
  );
  return Object.fromEntries(left);
}
