// A server may run only one of the two services; what the other one would show is left out then.

export interface Services {
  readonly orchestrator: boolean;
  readonly uptime: boolean;
}

/**
 * As the server wrote them into the page, so that nothing has to be asked before the first picture.
 */
const named = document.querySelector<HTMLMetaElement>('meta[name="services"]')?.content.split(" ");

export const SERVICES: Services = {
  orchestrator: named?.includes("orchestrator") ?? true,
  uptime: named?.includes("uptime") ?? true,
};
