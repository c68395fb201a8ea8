import type { Webhook, WebhookWithToken } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { problemAt } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { CheckboxField, LabeledField, Segments, TextArea } from "../../ui/form.tsx";
import { SecretField } from "../../ui/secret-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { WebhookPreview } from "./webhook-preview.tsx";

const RESOURCE = "orchestrator.resource.id";
/** What stands for a secret that the server keeps; it is never sent. */
const STORED = "stored";

const WAYS = [
  ["event", "Fixed event name"],
  ["template", "Template"],
] as const;

const EXAMPLE = `{
  "event": "github.{{ headers['x-github-event'] }}",
  "resource": {"${RESOURCE}": {{ ("github." ~ body.repository.full_name) | tojson }}},
  "payload": {{ body | tojson }}
}`;

/** Makes a webhook, or changes one; `onSaved` gets the address where there is a new one. */
export function WebhookDialog({
  webhook,
  onClose,
  onSaved,
}: {
  readonly webhook: Webhook | undefined;
  readonly onClose: () => void;
  readonly onSaved: (made: WebhookWithToken | undefined) => void;
}): JSX.Element {
  const [name, setName] = useState(webhook?.name ?? "");
  const [way, setWay] = useState<"event" | "template">(webhook?.template ? "template" : "event");
  const [event, setEvent] = useState(webhook?.event ?? "");
  const [resource, setResource] = useState(webhook?.resource?.[RESOURCE] ?? "");
  const [template, setTemplate] = useState(webhook?.template ?? EXAMPLE);
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true);
  const [acceptsGet, setAcceptsGet] = useState(webhook?.accepts_get ?? false);
  const kept = webhook?.signed ? STORED : undefined;
  const [secret, setSecret] = useState<string | undefined>(kept);
  const { onSubmit, busy, error, reason } = useSubmit(async () => {
    const given = {
      name,
      enabled,
      accepts_get: acceptsGet,
      ...(way === "event"
        ? {
            event,
            resource: { ...webhook?.resource, [RESOURCE]: resource || `webhook.${name}` },
            template: null,
          }
        : { template, event: null, resource: null }),
      ...(secret !== kept && { secret: secret ?? null }),
    };
    if (webhook === undefined) {
      onSaved(await api.webhooks.create(given));
      return;
    }
    await api.webhooks.update(webhook.id, given);
    toast("good", "Saved");
    onSaved(undefined);
  });
  return (
    <Dialog title={webhook ? `Edit ${webhook.name}` : "New webhook"} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <TextField label="Name" error={problemAt(reason, "name")} value={name} onText={setName} />
        <div>
          <Segments label="Event from" options={WAYS} value={way} onValue={setWay} />
        </div>
        {way === "event" ? (
          <>
            <TextField
              label="Event name"
              error={problemAt(reason, "event")}
              placeholder="order.paid"
              value={event}
              onText={setEvent}
            />
            <TextField
              label="Resource ID"
              hint="Defaults to webhook.<name>"
              error={problemAt(reason, "resource")}
              placeholder="shop.1"
              value={resource}
              onText={setResource}
            />
          </>
        ) : (
          <LabeledField
            label="Template"
            hint={`Renders the JSON of an event from method, headers, query and body${webhook ? "" : ". Save the webhook to test the template here"}`}
            error={problemAt(reason, "template")}
          >
            {(field) => (
              <TextArea
                {...field}
                rows={8}
                value={template}
                onChange={({ target }) => setTemplate(target.value)}
              />
            )}
          </LabeledField>
        )}
        {way === "template" && webhook && <WebhookPreview id={webhook.id} template={template} />}
        <SecretField
          label="Shared secret"
          hint="Requests must be signed with it (HMAC-SHA256). Leave empty to accept unsigned requests"
          error={problemAt(reason, "secret")}
          kept={kept}
          value={secret}
          onValue={(value) => setSecret(typeof value === "string" ? value : undefined)}
        />
        <CheckboxField
          label="Accept GET requests"
          checked={acceptsGet}
          onChange={({ target }) => setAcceptsGet(target.checked)}
        />
        <CheckboxField
          label="Enabled"
          checked={enabled}
          onChange={({ target }) => setEnabled(target.checked)}
        />
        <DialogFoot error={error}>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" disabled={name === ""} busy={busy}>
            Save
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
