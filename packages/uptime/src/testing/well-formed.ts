export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const TOKEN =
  /<\?xml[^?]*\?>|<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /([\w:.-]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
};

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** Reads the XML that we write, and nothing that is not well-formed. */
export function parseWellFormedXml(xml: string): XmlElement {
  const root: Open = { name: "", attributes: {}, children: [], text: "" };
  const stack: Open[] = [root];
  let end = 0;
  for (const match of xml.matchAll(TOKEN)) {
    end = match.index + match[0].length;
    const [, slash, name, attributes = "", closed, text] = match;
    const top = stack.at(-1) ?? root;
    if (text !== undefined) top.text += decoded(text);
    if (name === undefined) continue;
    if (slash === "/") {
      if (top.name !== name) throw new Error(`</${name}> ends <${top.name}>`);
      stack.pop();
      continue;
    }
    const element: Open = { name, attributes: attributesOf(attributes), children: [], text: "" };
    top.children.push(element);
    if (closed !== "/") stack.push(element);
  }
  if (end !== xml.length) throw new Error(`Not XML: ${xml.slice(end, end + 80)}`);
  if (stack.length > 1) throw new Error(`<${stack.at(-1)?.name}> has no end`);
  const [only, ...others] = root.children;
  if (only === undefined || others.length > 0 || root.text.trim() !== "")
    throw new Error("XML has one element that holds all others");
  return only;
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(ATTRIBUTE), ([, name = "", value = ""]) => [name, decoded(value)]),
  );
}

function decoded(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that XML cannot write
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\]\]>/.test(text))
    throw new Error(`Not text of XML: ${JSON.stringify(text)}`);
  return text.replaceAll(/&([^;]*);?/g, (entity, name: string) => {
    const character = ENTITIES[name];
    if (character === undefined || !entity.endsWith(";")) throw new Error(`Unknown ${entity}`);
    return character;
  });
}
