import { CLIENT_SETTINGS, isClientSetting } from "@orchestrator/client/settings";

/** A value as it may be shown; what is not known may be a secret. */
export const masked = (name: string, value: string): string =>
  isClientSetting(name) && !CLIENT_SETTINGS[name].isSecret ? value : "********";
