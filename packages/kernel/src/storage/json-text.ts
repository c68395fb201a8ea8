declare const represents: unique symbol;

/** JSON text of a `T`, built by the database and sent as it stands. */
export type JsonText<T> = string & { readonly [represents]?: T };
