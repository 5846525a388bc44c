import { parseEmail } from '../../domain/account/names.ts'
import type { Blocklist } from '../../domain/blocklist-entry/lists.ts'
import { parsed, unparsed, type Parsed } from '../../domain/kernel/parsed.ts'
import { networkOf, oneClient } from '../../domain/network/network-of.ts'
import { folded } from '../../domain/text/folded.ts'
import { parseText, type Length } from '../../domain/text/normalise.ts'
import { plainAddress } from './address-list.ts'
import { normalisedHost, normalisedUrl } from './listed-urls.ts'

/** A value in the form of its blocklist. */
export interface ListedValue {
  /** The form that is stored and shown. */
  readonly value: string
  /** The same for all spellings of the value, so that they make one entry. */
  readonly key: string
}

/** The address that an entry of the address list stands for, or the first address of its network. */
export function listedAddress({ value }: Pick<ListedValue, 'value'>): string {
  return value.replace(/\/\d+$/, '')
}

/** The length of a value in characters, by list. */
export const valueLengths: Readonly<Record<Blocklist, Length>> = {
  ip: { min: 1, max: 45 },
  email: { min: 1, max: 254 },
  phrase: { min: 1, max: 500 },
  url: { min: 1, max: 2048 },
  'url-domain': { min: 1, max: 253 },
  'file-sha': { min: 64, max: 64 },
  'avatar-hash': { min: 1, max: 128 },
  'profile-substring': { min: 1, max: 500 },
}

/**
 * Parses a value from outside. Fails with STRING_LENGTH_INVALID outside its bounds, INVALID_URL_FORMAT if it is not a web
 * address, the codes of e-mail addresses, and INVALID_FORMAT for any other value that its list cannot hold, such as a phrase of
 * punctuation only.
 */
export function readListedValue(list: Blocklist, text: string): Parsed<ListedValue> {
  if (list === 'email') return sameKey(parseEmail(text))
  const kept = parseText(text, valueLengths[list])
  return kept.ok ? readers[list](kept.value) : kept
}

type Reader = (text: string) => Parsed<ListedValue>

const readers: Readonly<Record<Exclude<Blocklist, 'email'>, Reader>> = {
  ip: readAddress,
  phrase: readPhrase,
  'profile-substring': readPhrase,
  url: (text) => {
    const url = normalisedUrl(text)
    return url === undefined ? unparsed('INVALID_URL_FORMAT') : sameKey(parsed(url))
  },
  'url-domain': (text) => {
    const host = normalisedHost(text)
    return host === undefined ? unparsed('INVALID_FORMAT') : sameKey(parsed(host))
  },
  'file-sha': (text) =>
    /^[0-9a-f]{64}$/i.test(text) ? sameKey(parsed(text.toLowerCase())) : unparsed('INVALID_FORMAT'),
  'avatar-hash': (text) => (/^\w+$/.test(text) ? sameKey(parsed(text)) : unparsed('INVALID_FORMAT')),
}

/** An IPv4 address stands for itself, an IPv6 address for its /64. Either may also be written as that network. */
function readAddress(text: string): Parsed<ListedValue> {
  const [address = '', bits, ...more] = text.split('/')
  const plain = plainAddress(address)
  if (plain === undefined || more.length > 0) return unparsed('INVALID_FORMAT')
  const isV6 = plain.includes(':')
  if (bits !== undefined && bits !== (isV6 ? '64' : '32')) return unparsed('INVALID_FORMAT')
  const network = networkOf(plain, oneClient)
  return parsed({ value: isV6 ? network : plain, key: network })
}

function readPhrase(text: string): Parsed<ListedValue> {
  const key = folded(text)
  return key === '' ? unparsed('INVALID_FORMAT') : parsed({ value: text, key })
}

function sameKey(read: Parsed<string>): Parsed<ListedValue> {
  return read.ok ? parsed({ value: read.value, key: read.value }) : read
}
