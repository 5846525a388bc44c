const start_bytes_max = 4096

/** After a byte order mark, an XML declaration, comments and a document type, the first element is `svg`. */
export function isSvg(bytes: Buffer): boolean {
  const start = bytes.toString('utf8', 0, start_bytes_max)
  return /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>\s*)*<svg[\s>]/i.test(
    start,
  )
}

/** The elements that move others, under any prefix, also where an entity writes their bracket as a number; or styles that do. */
const moving =
  /(?:<|&#0*60;|&#x0*3[Cc];)(?:[\w.-]+:)?(?:animate(?:Color|Motion|Transform)?|set)[\s/>]|@(?:-\w+-)?keyframes\b/

/**
 * Whether an SVG moves: by an element of SVG's animation, or by keyframes of a style. What only speaks of one, as in a comment,
 * counts too: whoever draws a still image can leave it out. Linear in the bytes.
 */
export function svgMoves(bytes: Buffer): boolean {
  return moving.test(bytes.toString('latin1'))
}
