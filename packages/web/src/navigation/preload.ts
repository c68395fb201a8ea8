// Links know nothing of the list of pages, which itself leads to every page and its links.

let load: (path: string) => void = () => {};

export function onPreload(loader: (path: string) => void): void {
  load = loader;
}

export function preload(to: string): void {
  load(to.split("?")[0] ?? to);
}
