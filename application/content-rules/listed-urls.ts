/** URLs as blocklists compare them (reference stores 4.13). */

/** Nothing that a person means to follow is longer, and reading one takes time. */
const url_chars_max = 2048

/**
 * The one spelling of a web address: scheme and host in lower case, the host in ASCII, without the default port, a fragment
 * and who signs in. Undefined for everything else.
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
 * What a listed URL and one in a text are compared by: a character that needs no percent-encoding stands for itself, however it
 * is written (RFC 3986 6.2.2). Listed values are kept as `normalisedUrl` has them.
 */
export function comparedUrl(url: string): string {
  return url.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}

/** A text whose web addresses have decoded what they encode by percent, invalid UTF-8 as U+FFFD. */
export function withReadableUrls(text: string): string {
  return text.replace(address, (url) => url.replace(/(?:%[0-9a-f]{2})+/gi, decoded))
}

function decoded(codes: string): string {
  return Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8')
}

/** The one spelling of a host that stands alone, without a path or port: ASCII, lower case, no dot at its end. */
export function normalisedHost(text: string): string | undefined {
  if (/[^\p{L}\p{M}\p{N}._-]/u.test(text)) return undefined
  const url = webAddress(`http://${text}`)
  return url && hostOf(url)
}

/** What a text leads to: the web addresses in it, and the hosts of these and of names that stand without a scheme. */
export function urlsIn(text: string): { readonly urls: readonly string[]; readonly hosts: readonly string[] } {
  const found = [...text.matchAll(address)].flatMap(([whole]) => [whole, withoutEnd(whole, closing)])
  const urls = found.flatMap((each) => normalisedUrl(each) ?? [])
  const readable = comparedUrl(text)
  const named = [...readable.matchAll(name)].filter(({ index }) => readable[index - 1] !== '@')
  const bare = named.map(([each]) => withoutEnd(each, '.').replace(/^\.+/, '')).filter((each) => each.includes('.'))
  const hosts = bare.flatMap((each) => normalisedHost(each) ?? [])
  return { urls: urls.map(comparedUrl), hosts: [...hosts, ...urls.map((url) => hostOf(new URL(url)))] }
}

/** Each of these reads every character once: what follows a match is no part of it. */
const address = /https?:\/\/[^\s<>"`]+/gi
/** What ends a sentence, a bracket or bold text is seldom meant. */
const closing = ".,;:!?'*_~)]}|"
const name = /[\p{L}\p{M}\p{N}._-]+/gu

/** A pattern would begin anew at each of the characters, which takes the square of their number. */
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
