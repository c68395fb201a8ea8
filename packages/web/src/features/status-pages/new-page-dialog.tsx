import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { navigate } from "../../navigation/location.ts";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { publicAddress } from "./status-page-queries.ts";

export function NewPageDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const queries = useQueryClient();
  const [title, setTitle] = useState("");
  const [typed, setTyped] = useState<string>();
  const slug = typed ?? slugOf(title);
  const create = async () => {
    const { id } = await uptime.statusPages.create({ title, slug });
    await queries.invalidateQueries({ queryKey: ["status-pages"] });
    navigate(`/status-pages/${id}`);
  };
  return (
    <SaveDialog
      title="New status page"
      verb="Create page"
      canSave={title.trim() !== "" && slug !== ""}
      onSave={create}
      onClose={onClose}
    >
      <TextField label="Title" placeholder="Shop status" value={title} onText={setTitle} />
      <TextField
        label="Address"
        hint={`${location.origin}${publicAddress(slug || "…")}`}
        value={slug}
        onText={setTyped}
      />
    </SaveDialog>
  );
}

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
