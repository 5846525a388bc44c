import { isIP } from 'node:net'
import { parsed, unparsed, type Parsed } from '../../../../domain/kernel/parsed.js'
import { hasLength, isStorable, normalised, type Length } from '../../../../domain/text/normalise.js'

/** What one redirect URI may have (reference identity 7.3). */
export const redirectUriLength: Length = { min: 1, max: 256 }

/**
 * Where an application has its users sent back to, as it was written, since it is compared exactly: an https URL, or an http URL of
 * localhost, a name below it, or an IP address. Neither credentials nor a fragment, which the answer's own query would come after.
 * URL_LENGTH_INVALID, INVALID_URL_FORMAT. Reference identity 7.3 and 2.8.
 */
export function parseRedirectUri(text: string): Parsed<string> {
  const uri = normalised(text)
  if (!hasLength(uri, redirectUriLength)) return unparsed('URL_LENGTH_INVALID')
  // What the parser of URLs would silently leave out is not what is compared.
  if (/[\s#\\]|\p{Cc}/u.test(uri) || !isStorable(uri) || !URL.canParse(uri)) return unparsed('INVALID_URL_FORMAT')
  const { protocol, hostname, username, password } = new URL(uri)
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isNear(hostname))
  return isAllowed && username === '' && password === '' ? parsed(uri) : unparsed('INVALID_URL_FORMAT')
}

function isNear(hostname: string): boolean {
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return isLocal || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}
