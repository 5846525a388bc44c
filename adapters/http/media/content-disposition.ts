/** What a quoted filename holds without being read as anything else (RFC 6266, appendix D). */
const plainName = /^[\w !#$&+.^`|~()[\]{}@=,;-]+$/

/**
 * The Content-Disposition of a file: browsers show images and videos where they stand, and keep everything else, as they do with
 * SVG, which may hold scripts. A name that is not plain is given in UTF-8, with a plain one for clients that do not read that.
 */
export function dispositionOf(filename: string, contentType: string, isForced: boolean): string {
  const isShown = /^(?:image|video)\//.test(contentType) && contentType !== 'image/svg+xml' && !isForced
  const kind = isShown ? 'inline' : 'attachment'
  if (plainName.test(filename)) return `${kind}; filename="${filename}"`
  const plain = filename.replaceAll(/[^\w .-]/gu, '_')
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded(filename)}`
}

/** RFC 8187, 3.2.1. */
function encoded(filename: string): string {
  return encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
