const wave = (level: number): string => `<g id="a${level + 1}"><use href="#a${level}"/><use href="#a${level}"/></g>`
const waves = Array.from({ length: 30 }, (_, level) => wave(level)).join('')

/** A small SVG that draws 2^30 rectangles. */
export const svgBomb = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><defs><rect id="a0" width="1" height="1"/>${waves}</defs><use href="#a30"/></svg>`,
)
