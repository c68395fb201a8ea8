/** The work pool of the worker beside a server. */
export const LOCAL_POOL = "default";
