import type { JsonValue } from "@orchestrator/contract";
import { type JSX, type KeyboardEvent, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { LabeledField, TextArea } from "../../ui/form.tsx";
import { Json } from "../../ui/json.tsx";
import { NoticeBox } from "../../ui/surface.tsx";
import { TextMap } from "../../ui/text-map.tsx";

/** What the template, as it is typed, would make of a request that nobody sent. */
export function WebhookPreview({
  id,
  template,
}: {
  readonly id: string;
  readonly template: string;
}): JSX.Element {
  const [body, setBody] = useState('{\n  "repository": {"full_name": "shop/web"}\n}');
  const [headers, setHeaders] = useState<Readonly<Record<string, string>>>({
    "x-github-event": "push",
  });
  const [made, setMade] = useState<{ readonly event: unknown } | { readonly problem: string }>();
  const [busy, setBusy] = useState(false);
  const preview = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const event = await api.webhooks.preview(id, { template, headers, body: readBody(body) });
      setMade({ event });
    } catch (error) {
      setMade({ problem: errorText(error) });
    } finally {
      setBusy(false);
    }
  };
  // It stands in the form of the webhook, which is not to be saved by this.
  const tryByEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    // Held down it asks once; and while a word is put together from several keys Enter only ends
    // that.
    if (!event.repeat && !event.nativeEvent.isComposing) void preview();
  };
  return (
    <details className="stack">
      <summary>Test the template</summary>
      <div className="stack" style={{ paddingTop: 12 }} onKeyDown={tryByEnter}>
        <LabeledField label="Request body" hint="JSON or plain text">
          {(field) => (
            <TextArea {...field} value={body} onChange={({ target }) => setBody(target.value)} />
          )}
        </LabeledField>
        <TextMap
          label="Headers"
          values={headers}
          onValues={(values) => setHeaders(values as Readonly<Record<string, string>>)}
        />
        <div>
          <Button icon="play" busy={busy} onClick={() => void preview()}>
            Preview event
          </Button>
        </div>
        {made && "problem" in made && <NoticeBox kind="error">{made.problem}</NoticeBox>}
        {made && "event" in made && <Json label="Event" value={made.event} />}
      </div>
    </details>
  );
}

function readBody(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
