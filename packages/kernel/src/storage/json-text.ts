declare const represents: unique symbol;

/** JSON text of a `T`, built by the database and sent as it stands. */
export type JsonText<T> = string & { readonly [represents]?: T };

/** The same, perhaps still as the bytes that are sent. */
export type JsonBytes<T> = (string | Uint8Array) & { readonly [represents]?: T };
