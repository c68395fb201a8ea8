import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { navigate } from "../../app/location.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/form.tsx";
import { Notice } from "../../ui/surface.tsx";

export function NewPageDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const queries = useQueryClient();
  const [title, setTitle] = useState("");
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const slug = typed ?? slugOf(title);
  const create = async () => {
    try {
      const { id } = await uptime.statusPages.create({ title, slug });
      await queries.invalidateQueries({ queryKey: ["status-pages"] });
      onClose();
      navigate(`/status-pages/${id}`);
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  return (
    <Dialog title="New status page" onClose={onClose}>
      <Field label="Title">
        {(field) => (
          <Input
            {...field}
            placeholder="Shop status"
            value={title}
            onChange={({ target }) => setTitle(target.value)}
          />
        )}
      </Field>
      <Field label="Address" hint={`${location.origin}/uptime/status/${slug || "…"}`}>
        {(field) => (
          <Input {...field} value={slug} onChange={({ target }) => setTyped(target.value)} />
        )}
      </Field>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
        <Button
          kind="primary"
          disabled={title.trim() === "" || slug === ""}
          onClick={() => void create()}
        >
          Make the page
        </Button>
      </div>
    </Dialog>
  );
}

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
