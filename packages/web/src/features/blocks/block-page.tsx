import type { BlockDocument } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { navigate } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { NotShown } from "../../ui/not-shown.tsx";
import type { Values } from "../../ui/schema-shape.ts";
import { Card, Code, Empty, Facts, PageFrame, TagChips } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import { deliveriesPage } from "../deliveries/deliveries-queries.ts";
import { DeliveriesTable } from "../deliveries/deliveries-table.tsx";
import { BlockForm } from "./block-form.tsx";
import { blockOf } from "./blocks-queries.ts";

const LIST = { label: "Blocks", to: "/blocks" };
const CRUMBS = [LIST];

export function BlockPage({ params }: PageProps): JSX.Element {
  const { data, error } = useQuery(blockOf(params["id"] ?? ""));
  if (data) return <Loaded block={data} />;
  return (
    <PageFrame title="Block" crumbs={CRUMBS}>
      <NotShown error={error} what="block" list={LIST} />
    </PageFrame>
  );
}

function Loaded({ block }: { readonly block: BlockDocument }): JSX.Element {
  const { id, name, block_type, block_schema } = block;
  const [deleting, setDeleting] = useState(false);
  const queries = useQueryClient();
  const canSend = block_schema?.capabilities.includes("notify") || block_type?.slug === "webhook";
  return (
    <PageFrame
      title={name}
      crumbs={CRUMBS}
      about={block_type?.description && <Markdown text={block_type.description} />}
      actions={
        <Button needs="write" kind="danger" icon="trash" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      }
    >
      <Card>
        <Facts
          items={[
            ["Type", block_type?.name],
            [
              "Capabilities",
              block_schema?.capabilities.length ? (
                <TagChips tags={block_schema.capabilities} />
              ) : null,
            ],
            ["Updated", <Ago time={block.updated} />],
            ["ID", <code>{id}</code>],
          ]}
        />
      </Card>
      <Card title="Values">
        <BlockForm
          key={block.updated}
          schema={block_schema?.fields ?? {}}
          kept={block.data as Values}
          name={name}
          verb="Save"
          onSave={async (_, data) => {
            // Masks go back as they came and leave what is stored as it is; what was emptied is
            // gone.
            await api.blockDocuments.update(id, { data, merge_existing_data: false });
            await queries.invalidateQueries({ queryKey: ["blocks"] });
            toast("good", "Saved");
          }}
        />
      </Card>
      {canSend && <Sent id={id} />}
      {block_type?.code_example && (
        <Card title="Use in code">
          <Code text={block_type.code_example} />
        </Card>
      )}
      {deleting && (
        <Confirm
          title={`Delete ${name}?`}
          verb="Delete block"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.blockDocuments.delete(id);
            await queries.invalidateQueries({ queryKey: ["blocks", "all"] });
            toast("good", `${name} is deleted`);
            navigate("/blocks");
          }}
        >
          Flows and automations that use it will fail to load it, and its secrets are deleted.
        </Confirm>
      )}
    </PageFrame>
  );
}

function Sent({ id }: { readonly id: string }): JSX.Element {
  const { data } = useQuery(deliveriesPage({ block: id, page: 1 }));
  return (
    <Card flush title="Messages sent">
      <DeliveriesTable rows={data?.rows} empty={<Empty icon="up" title="No messages sent yet" />} />
    </Card>
  );
}
