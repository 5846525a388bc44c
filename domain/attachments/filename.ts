import { normalised } from '../text/normalise.ts'

/** UTF-8. Most file systems take no longer name. */
export const filename_bytes_max = 255
/** What a file is called whose own name nothing is left of. */
export const namelessFile = 'unknown'

/** The end of a name that is kept when the name is cut: a dot, and no more characters than this. */
const extension_characters_max = 16
/** Control and format characters, half surrogate pairs, and what file systems or browsers read as more than a character of a name. */
const unwanted = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/gu

/**
 * The name under which a file is kept and served: what follows the last path separator, without control characters and those
 * that have a meaning to file systems, at most 255 bytes. A longer name is cut before its ending. `unknown` if nothing is left.
 */
export function filenameOf(given: string): string {
  const name = normalised(given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1))
    .replaceAll(unwanted, '')
    .trim()
  const kept = name.slice(0, endWithoutDots(name))
  return kept === '' ? namelessFile : cut(kept)
}

/** Where the dots and spaces at the end of a name begin: `.` and `..` are folders, and Windows drops them. */
function endWithoutDots(name: string): number {
  let end = name.length
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end -= 1
  return end
}

function cut(name: string): string {
  if (bytesOf(name) <= filename_bytes_max) return name
  const dot = name.lastIndexOf('.')
  const hasExtension = dot > 0 && name.length - dot <= extension_characters_max
  const [stem, extension] = hasExtension ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let left_bytes = filename_bytes_max - bytesOf(extension)
  let kept = ''
  for (const character of stem) {
    left_bytes -= bytesOf(character)
    if (left_bytes < 0) break
    kept += character
  }
  return `${kept}${extension}`
}

/** How many bytes a text has in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
