import { isIP } from 'node:net'
import { parsed, unparsed, type Parsed } from '../../../../domain/kernel/parsed.ts'
import { hasLength, isStorable, normalised, type Length } from '../../../../domain/text/normalise.ts'

export const redirectUriLength: Length = { min: 1, max: 256 }

/**
 * Where an application has its users sent back to, kept as it was written because it is compared exactly. It is an
 * https URL, or an http URL of localhost, a name below it, or an IP address. It has no credentials and no fragment,
 * because the answer's own query has to come last. URL_LENGTH_INVALID, INVALID_URL_FORMAT.
 */
export function parseRedirectUri(text: string): Parsed<string> {
  const uri = normalised(text)
  if (!hasLength(uri, redirectUriLength)) return unparsed('URL_LENGTH_INVALID')
  // The URL parser would silently drop these characters, and the comparison would not.
  if (/[\s#\\]|\p{Cc}/u.test(uri) || !isStorable(uri) || !URL.canParse(uri)) return unparsed('INVALID_URL_FORMAT')
  const { protocol, hostname, username, password } = new URL(uri)
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isNear(hostname))
  return isAllowed && username === '' && password === '' ? parsed(uri) : unparsed('INVALID_URL_FORMAT')
}

function isNear(hostname: string): boolean {
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return isLocal || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}
