/** An SVG as text, from its document type on, or from its root where there is none. */
export interface SvgText {
  /** The document type with its entities; empty if there is none. */
  readonly documentType: string
  readonly root: string
}

/**
 * Reads an SVG in UTF-8 or UTF-16; undefined if the first element is no `svg`, under any prefix. Byte order mark, XML declaration,
 * processing instructions and comments may come before it. Linear in the bytes.
 */
export function readSvg(bytes: Buffer): SvgText | undefined {
  const text = textOf(bytes)
  let documentType = ''
  for (let at = afterSpace(text, 0); text[at] === '<'; at = afterSpace(text, at)) {
    const end = endOfProlog(text, at)
    if (end === undefined)
      return rootName.test(text.slice(at, at + rootName_max)) ? { documentType, root: text.slice(at) } : undefined
    if (end < 0) return undefined
    if (text[at + 1] === '!' && text[at + 2] !== '-') documentType = text.slice(at, end)
    at = end
  }
  return undefined
}

const rootName_max = 128
const rootName = /^<(?:[\w.-]{1,100}:)?svg[\s/>]/i

/** Where a part of the prolog ends: undefined for the root, -1 for what never ends. */
function endOfProlog(text: string, at: number): number | undefined {
  if (text.startsWith('<?', at)) return after(text, '?>', at + 2)
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4)
  return text.startsWith('<!', at) ? endOfDocumentType(text, at) : undefined
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? -1 : found + mark.length
}

/** Its entities stand in brackets, and quoted values may hold brackets. */
function endOfDocumentType(text: string, from: number): number {
  let isInside = false
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"' || character === "'") {
      const end = text.indexOf(character, at + 1)
      if (end === -1) return -1
      at = end
    } else if (isInside && text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at)
      if (end === -1) return -1
      at = end + 2
    } else if (character === '[') isInside = true
    else if (character === ']') isInside = false
    else if (character === '>' && !isInside) return at + 1
  }
  return -1
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n\uFEFF'.includes(text.charAt(at))) at += 1
  return at
}

/** By its byte order mark, or by the zero beside its first bracket. */
function textOf(bytes: Buffer): string {
  const [first, second] = bytes
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}

/** The animation elements, under any prefix, even if an entity encodes their bracket as a number; or style animations. */
const moving =
  /(?:<|&#0{0,8}60;|&#x0{0,8}3[Cc];)(?:[\w.-]{1,100}:)?(?:animate(?:Color|Motion|Transform)?|set)[\s/>]|@(?:-\w{1,20}-)?keyframes\b/

/**
 * Whether an SVG is animated, by an animation element or by keyframes in a style. A mere mention, as in a comment, counts too:
 * authors of still images can leave it out. Linear in the bytes.
 */
export function svgMoves({ documentType, root }: SvgText): boolean {
  return moving.test(documentType) || moving.test(root)
}

/**
 * The bytes that the renderer gets: UTF-8, without what comes before. It knows an SVG by its first kilobyte, where a document type may
 * push the root out and a prefix may hide it: the comment stands for both.
 */
export function rendererBytes({ documentType, root }: SvgText): Buffer {
  return Buffer.from(`<!--<svg-->${documentType}${root}`)
}
