import { UNVERSIONED } from "@orchestrator/contract";
import type { OrchestratorContext } from "../context.ts";
import { addSchema } from "./block-schemas.service.ts";
import { findKnownSchemas } from "./schemas/block-schemas.store.ts";
import { checksumOf } from "./schemas/checksum.rules.ts";
import { SYSTEM_BLOCKS } from "./system-blocks.ts";
import { findBlockTypeIds, insertBlockType } from "./types/block-types.store.ts";

const CATALOGUE = SYSTEM_BLOCKS.map((block) => ({ ...block, checksum: checksumOf(block.fields) }));

/**
 * Creates what is missing of the block types that come with the server, and of their schemas. What
 * is there stays as it is: clients write their own texts into these types. No event tells of it,
 * for nobody did anything.
 */
export async function installSystemBlocks(
  ctx: Pick<OrchestratorContext, "clock" | "db" | "ids">,
  workspaceId: string,
): Promise<void> {
  const known = await findKnownSchemas(ctx.db.in(workspaceId));
  const missing = CATALOGUE.filter(({ slug, checksum }) => !known.has(`${slug} ${checksum}`));
  if (missing.length === 0) return;
  const now = ctx.clock.now();
  await ctx.db.write(workspaceId, async (tx) => {
    for (const { name, slug, description } of missing)
      await insertBlockType(tx, {
        id: ctx.ids.uuid4(),
        created: now,
        updated: now,
        name,
        slug,
        description,
        logo_url: null,
        documentation_url: null,
        code_example: null,
        is_protected: true,
      });
    const ids = await findBlockTypeIds(tx);
    for (const { slug, fields, capabilities, checksum } of missing) {
      const block_type_id = ids.get(slug);
      if (block_type_id === undefined) continue;
      const schema = { block_type_id, fields, capabilities, checksum, version: UNVERSIONED };
      await addSchema(ctx, tx, schema);
    }
  });
}
