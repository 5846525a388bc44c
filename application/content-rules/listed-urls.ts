/** URLs as blocklists compare them. */

/** Longer URLs are skipped: nobody means to follow them, and parsing takes time. */
const url_chars_max = 2048

/**
 * The one spelling of a web address: scheme and host in lower case, the host in ASCII, without default port, fragment and user
 * info. Undefined for everything else.
 */
export function normalisedUrl(text: string): string | undefined {
  const url = webAddress(text)
  if (!url) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  return url.href
}

/**
 * The form in which listed URLs and URLs in texts are compared: a character that needs no percent-encoding is decoded (RFC 3986
 * 6.2.2). Listed values are stored in the form of `normalisedUrl`.
 */
export function comparedUrl(url: string): string {
  return url.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}

/** The text with percent-encoding decoded in its web addresses, and invalid UTF-8 as U+FFFD. */
export function withReadableUrls(text: string): string {
  return text.replace(address, (url) => url.replace(/(?:%[0-9a-f]{2})+/gi, decoded))
}

function decoded(codes: string): string {
  return Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8')
}

/** The one spelling of a bare host, without a path or port: ASCII, lower case, no dot at the end. */
export function normalisedHost(text: string): string | undefined {
  if (/[^\p{L}\p{M}\p{N}._-]/u.test(text)) return undefined
  const url = webAddress(`http://${text}`)
  return url && hostOf(url)
}

/** The web addresses in a text, and their hosts. A name without a scheme is no address. */
export function urlsIn(text: string): { readonly urls: readonly string[]; readonly hosts: readonly string[] } {
  const found = [...text.matchAll(address)].flatMap(([whole]) => [whole, withoutEnd(whole, closing)])
  const urls = found.flatMap((each) => normalisedUrl(each) ?? [])
  return { urls: urls.map(comparedUrl), hosts: urls.map((url) => hostOf(new URL(url))) }
}

/** Reads every character once, because what follows a match is not part of it. */
const address = /https?:\/\/[^\s<>"`]+/gi
/** Punctuation that ends a sentence, a bracket or bold text is seldom part of the address. */
const closing = ".,;:!?'*_~)]}|"

/** A loop, because a pattern would start again at each character and take quadratic time. */
function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

function webAddress(text: string): URL | undefined {
  if (text.length > url_chars_max || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}

function hostOf({ hostname }: URL): string {
  return withoutEnd(hostname, '.')
}
