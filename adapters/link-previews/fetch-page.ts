import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { guardedLookup, type IsAllowed } from './public-addresses.ts'

export const answer_ms_max = 10_000
const redirects_max = 5
const url_chars_max = 8192
const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308]

/** The beginning of an answer, whose body is still to be read or destroyed. */
export interface Page {
  readonly url: URL
  readonly contentType: string
  readonly body: IncomingMessage
}

/**
 * Asks for an address, and follows redirects to others, each once and each within the policy: http or https, no user, a port, a
 * host whose every address is allowed. Undefined if any of it is not so, or the answer is no success. Rejects if nobody answers.
 */
export async function fetchPage(
  text: string,
  isAllowed: IsAllowed,
  signal: AbortSignal,
  accept = 'text/html,image/*',
): Promise<Page | undefined> {
  const seen = new Set<string>()
  let next = text
  for (let asked = 0; asked <= redirects_max; asked += 1) {
    const url = allowedUrl(next, isAllowed)
    if (!url || seen.has(url.href)) return undefined
    seen.add(url.href)
    const ending = AbortSignal.any([signal, AbortSignal.timeout(answer_ms_max)])
    const body = await ask(url, isAllowed, ending, accept)
    const { statusCode = 0, headers } = body
    if (statusCode === 200 && isPlain(headers['content-encoding']))
      return { url, contentType: headers['content-type'] ?? '', body }
    body.destroy()
    const { location } = headers
    if (!redirectStatuses.includes(statusCode) || location === undefined || !URL.canParse(location, url.href))
      return undefined
    next = new URL(location, url).href
  }
  return undefined
}

const isPlain = (encoding: string | undefined): boolean => encoding === undefined || encoding === 'identity'

function allowedUrl(text: string, isAllowed: IsAllowed): URL | undefined {
  // eslint-disable-next-line no-control-regex
  if (text.length > url_chars_max || /[\0-\x20\x7f]/.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.username !== '' || url.password !== '' || url.port === '0') return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A connection to an address looks nothing up.
  return isIP(host) !== 0 && !isAllowed(host) ? undefined : url
}

function ask(url: URL, isAllowed: IsAllowed, signal: AbortSignal, accept: string): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    request(url, {
      agent: false,
      lookup: guardedLookup(isAllowed),
      signal,
      headers: {
        'user-agent': 'Guildhall (link previews)',
        accept,
        'accept-encoding': 'identity',
      },
    })
      .on('response', resolve)
      .on('error', reject)
      .end()
  })
}
