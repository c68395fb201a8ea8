import type { Dialect, Migration } from "@orchestrator/kernel/storage";

/**
 * `audit_retention` says before which time entries may be deleted, and says so only inside a
 * transaction of the retention: everybody else is refused by the triggers, as is whoever would
 * change an entry.
 */
export const auditMigration: Migration = {
  name: "audit",
  up: (t, dialect) => `
    create table audit_log (
      id ${t.id} primary key,
      occurred ${t.time} not null,
      account_id ${t.id} not null,
      workspace_id ${t.id},
      actor_kind ${t.text} not null,
      actor_id ${t.id},
      actor_name ${t.text} not null,
      api_key_id ${t.id},
      api_key_prefix ${t.text},
      operation ${t.text} not null,
      method ${t.text} not null,
      route ${t.text} not null,
      permission ${t.text} not null,
      resource_id ${t.text},
      resource ${t.json} not null,
      result ${t.text} not null,
      status ${t.integer},
      address ${t.text} not null,
      user_agent ${t.text} not null,
      request_id ${t.text} not null
    );
    create index audit_log_by_account on audit_log (account_id, id);
    create index audit_log_by_actor on audit_log (account_id, actor_id, id);
    create index audit_log_by_resource on audit_log (account_id, resource_id, id);
    create table audit_retention (
      id ${t.integer} primary key,
      before ${t.time} not null
    );
    insert into audit_retention values (1, '');
    ${refusals(dialect)}`,
};

const NO_CHANGES = "The audit log is not changed";
const NO_DELETION = "The audit log is deleted by its retention only";

const refusals = ({ name }: Dialect): string =>
  name === "sqlite"
    ? `
    create trigger audit_log_no_update before update on audit_log
      begin select raise(abort, '${NO_CHANGES}'); end;
    create trigger audit_log_no_delete before delete on audit_log
      when old.occurred >= (select before from audit_retention)
      begin select raise(abort, '${NO_DELETION}'); end;`
    : `
    create function refuse_audit_change() returns trigger language plpgsql as
      $$ begin raise exception '${NO_CHANGES}'; end $$;
    create function refuse_audit_deletion() returns trigger language plpgsql as
      $$ begin
        if old.occurred >= (select before from audit_retention) then
          raise exception '${NO_DELETION}';
        end if;
        return old;
      end $$;
    create trigger audit_log_no_update before update on audit_log
      for each row execute function refuse_audit_change();
    create trigger audit_log_no_truncate before truncate on audit_log
      for each statement execute function refuse_audit_change();
    create trigger audit_log_no_delete before delete on audit_log
      for each row execute function refuse_audit_deletion();`;
