import type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyUpdate,
  CreatedApiKey,
  ServiceAccount,
  ServiceAccountCreate,
} from "@orchestrator/contract";
import { del, get, patch, post } from "../transport/operation.ts";

export const apiKeys = {
  /** The only time that the key is told. */
  create: post<(accountId: string, key: ApiKeyCreate) => CreatedApiKey>(
    "/accounts/{account_id}/api_keys",
  ),
  list: get<(accountId: string) => ApiKey[]>("/accounts/{account_id}/api_keys"),
  update: patch<(accountId: string, id: string, changes: ApiKeyUpdate) => void>(
    "/accounts/{account_id}/api_keys/{id}",
  ),
  revoke: del<(accountId: string, id: string) => void>("/accounts/{account_id}/api_keys/{id}"),
};

export const serviceAccounts = {
  create: post<(accountId: string, account: ServiceAccountCreate) => ServiceAccount>(
    "/accounts/{account_id}/service_accounts",
  ),
  list: get<(accountId: string) => ServiceAccount[]>("/accounts/{account_id}/service_accounts"),
  delete: del<(accountId: string, id: string) => void>(
    "/accounts/{account_id}/service_accounts/{id}",
  ),
};
