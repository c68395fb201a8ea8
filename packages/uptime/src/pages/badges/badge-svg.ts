import { markup } from "../markup.ts";

export interface Badge {
  readonly label: string;
  readonly text: string;
  /** Hexadecimal digits, without anything else. */
  readonly labelColour: string;
  readonly colour: string;
}

const HEIGHT = 20;
const PADDING = 6;
/**
 * Of the usual sans-serif at 11 pixels, in pixels. The text is set to this length, so that a guess
 * is good enough.
 */
const NARROW = /[\s!'()*,./:;[\]`fijlrt|I]/;
const WIDE = /[%&@MWmw]/;

function widthOf(text: string): number {
  const pixels = Array.from(text).reduce((sum, character) => {
    // Scripts that have more to draw take the room of two.
    if ((character.codePointAt(0) ?? 0) > 0x2e80) return sum + 12;
    return sum + (NARROW.test(character) ? 4.3 : WIDE.test(character) ? 9.6 : 7);
  }, 0);
  return Math.ceil(pixels);
}

/** A picture of two words; it refers to nothing and runs nothing. */
export function badgeSvg({ label, text, labelColour, colour }: Badge): string {
  const left = label === "" ? 0 : widthOf(label) + 2 * PADDING;
  const right = widthOf(text) + 2 * PADDING;
  const width = left + right;
  const name = label === "" ? text : `${label}: ${text}`;
  const word = (content: string, from: number, room: number, on: string) =>
    markup`<text x="${from + room / 2}" y="14" fill="${inkOn(on)}" textLength="${room - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${content}</text>`;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${name}">
<title>${name}</title>
<clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="4"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="#${labelColour}"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="#${colour}"/></g>
<g text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">${
    label === "" ? null : word(label, 0, left, labelColour)
  }${word(text, left, right, colour)}</g>
</svg>
`.text;
}

/** Dark on light and light on dark, by how bright the colour is to the eye. */
function inkOn(colour: string): string {
  const digits =
    colour.length === 3 ? Array.from(colour, (digit) => digit + digit).join("") : colour;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.2 ? "#15181e" : "#ffffff";
}
