import type { Migration } from "@orchestrator/kernel/storage";

export const blocksMigration: Migration = {
  name: "blocks",
  up: (t) => `
    create table block_types (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      slug ${t.text} not null,
      logo_url ${t.text},
      documentation_url ${t.text},
      description ${t.text},
      code_example ${t.text},
      is_protected ${t.flag} not null,
      unique (workspace_id, slug)
    );
    create table block_schemas (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      checksum ${t.text} not null,
      fields ${t.json} not null,
      block_type_id ${t.id} not null references block_types (id) on delete cascade,
      capabilities ${t.tags} not null,
      version ${t.text} not null,
      unique (block_type_id, checksum, version)
    );
    create index block_schemas_by_checksum on block_schemas (workspace_id, checksum);
    create index block_schemas_by_age on block_schemas (workspace_id, created, id);
    create table block_documents (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      block_type_id ${t.id} not null references block_types (id) on delete cascade,
      block_type_name ${t.text} not null,
      block_schema_id ${t.id} not null references block_schemas (id) on delete cascade,
      is_anonymous ${t.flag} not null,
      sealed_with ${t.text} not null,
      data ${t.text} not null,
      unique (block_type_id, name)
    );
    create index block_documents_by_name on block_documents (workspace_id, name);
    create index block_documents_by_schema on block_documents (block_schema_id);
    create index block_documents_by_key on block_documents (sealed_with);
    create table block_document_references (
      workspace_id ${t.id} not null,
      parent_id ${t.id} not null references block_documents (id) on delete cascade,
      name ${t.text} not null,
      reference_id ${t.id} not null references block_documents (id) on delete cascade,
      primary key (parent_id, name)
    );
    create index block_document_references_to on block_document_references (reference_id);
    create table block_reference_changes (
      workspace_id ${t.id} primary key,
      changed ${t.time} not null
    );
    create table storage_defaults (
      workspace_id ${t.id} primary key,
      updated ${t.time} not null,
      default_result_storage_block_id ${t.id} not null references block_documents (id) on delete cascade
    );`,
};
