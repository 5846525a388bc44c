const start_bytes_max = 4096

/** Whether the first element is `svg`, after a byte order mark, an XML declaration, comments and a document type. */
export function isSvg(bytes: Buffer): boolean {
  const start = bytes.toString('utf8', 0, start_bytes_max)
  return /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>\s*)*<svg[\s>]/i.test(
    start,
  )
}

/** The animation elements, under any prefix, even if an entity encodes their bracket as a number; or style animations. */
const moving =
  /(?:<|&#0*60;|&#x0*3[Cc];)(?:[\w.-]+:)?(?:animate(?:Color|Motion|Transform)?|set)[\s/>]|@(?:-\w+-)?keyframes\b/

/**
 * Whether an SVG is animated, by an animation element or by keyframes in a style. A mere mention, as in a comment, counts too:
 * authors of still images can leave it out. Linear in the bytes.
 */
export function svgMoves(bytes: Buffer): boolean {
  return moving.test(bytes.toString('latin1'))
}
