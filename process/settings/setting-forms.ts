import { isIPv4, isIPv6 } from 'node:net'
import { z } from 'zod'
import { parseEmail } from '../../domain/account/names.ts'
import { applicationId, type ApplicationId } from '../../domain/ids/ids.ts'
import { parseSnowflake } from '../../domain/ids/snowflake.ts'

// The forms of settings: what each refuses it names in the words of operators.

export const port = z
  .string()
  .regex(/^\d{1,5}$/, { message: 'must be a port, 0-65535' })
  .transform(Number)
  .refine((value) => value <= 65_535, { message: 'must be a port, 0-65535' })
/** Postgres may be named without a host: then it is on this machine, behind a socket. */
export const url = (...protocols: readonly string[]) =>
  z.string().refine((text) => URL.canParse(text) && isUrlOf(new URL(text), protocols), {
    message: `must be a URL that begins with ${protocols.map((name) => `${name}//`).join(' or ')}, with each % of a name or password as %25`,
    // What is checked next may rely on a URL.
    abort: true,
  })

function isUrlOf({ protocol, hostname, username, password, pathname }: URL, protocols: readonly string[]): boolean {
  if (![username, password, pathname].every(isDecodable)) return false
  return protocols.includes(protocol) && (hostname !== '' || protocol.startsWith('postgres'))
}

/** A percent sign of a password has to be written %25: what uses the URL decodes its parts. */
function isDecodable(part: string): boolean {
  try {
    return decodeURIComponent(part) !== undefined
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/** To listen on: an IP address, also with a zone as in fe80::1%eth0, or a name. */
export const ownAddress = z
  .string()
  .refine((text) => isIPv4(text) || isIPv6(text) || /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/.test(text), {
    message: 'must be an address of this machine, as in 127.0.0.1 or ::1, or a name for one',
  })
/** The storage needs a key and a secret, and keeps images in a bucket. */
export const mediaUrl = url('http:', 'https:').refine(
  (text) => {
    const { username, password, pathname } = new URL(text)
    return username !== '' && password !== '' && /^\/[^/]+$/.test(pathname)
  },
  { message: 'must be https://<key>:<secret>@<host>/<bucket>' },
)
/** Several nodes, separated by commas, are not a valid URL. */
export const connectionString = z
  .string()
  .regex(/^esdb(?:\+discover)?:\/\/[^/?#\s]+/, { message: 'must begin with esdb:// or esdb+discover:// and a host' })
/** The client would take a NATS address without a protocol for a host name. */
export const natsServers = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(url('nats:', 'tls:')).min(1))
/** Versions above 1 of the API of the family, which clients write into paths and queries. */
export const clientVersions = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((versions) => versions.every((version) => /^(?:[2-9]|[1-9]\d)$/.test(version)), {
    message: 'must be versions from 2 to 99, separated by commas, as in 10 or 9,10',
  })
/** A whole number within bounds, as `max` and `min` name them. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { message: `must be a whole number, ${min}-${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { message: `must be a whole number, ${min}-${max}` })
export const onOff = z.enum(['on', 'off'], { message: 'must be on or off' })
export const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  message: 'must be addresses or networks, separated by commas',
})

/** ClamAV may be named by the path of its socket instead of a host. */
export const fileScanner = z.string().refine(
  (text) => {
    if (!URL.canParse(text)) return false
    const { protocol, hostname, pathname, username } = new URL(text)
    if (username !== '' || !isDecodable(pathname)) return false
    if (protocol === 'icap:') return hostname !== ''
    return protocol === 'clamd:' && (hostname === '') === pathname.length > 1
  },
  { message: 'must be clamd://host:port, clamd:///path/of/a/socket, or icap://host:port/service' },
)

/** `on`, or networks beside the public ones. */
export const previewedNetworks = z
  .string()
  .transform((text) => (text === 'on' ? [] : text.split(',').map((part) => part.trim())))
  .pipe(z.array(address, { error: 'must be on, off, or networks separated by commas, as in 10.0.0.0/8' }))

/** `off` names no server. */
export const nameServers = z
  .string()
  .transform((text) => (text === 'off' ? [] : text.split(',').map((part) => part.trim())))
  .refine((servers) => servers.every(isNameServer), {
    message:
      'must be off, or addresses with or without a port, separated by commas, as in 192.0.2.1,[2001:db8::1]:5353',
  })

function isNameServer(text: string): boolean {
  const {
    boxed,
    plain,
    port: given = '53',
  } = /^(?:\[(?<boxed>[^\]]+)\]|(?<plain>[0-9.]+))(?::(?<port>\d{1,5}))?$/.exec(text)?.groups ?? {}
  const hasPort = Number(given) >= 1 && Number(given) <= 65_535
  if (boxed !== undefined) return isIPv6(boxed) && hasPort
  return plain === undefined ? isIPv6(text) : isIPv4(plain) && hasPort
}

export const mailFrom = z
  .string()
  .transform(
    (text) => /^(?:(?<name>[^<>"\p{Cc}]{1,64}) )?<(?<boxed>[^<>]+)>$|^(?<bare>[^<>]+)$/u.exec(text.trim())?.groups,
  )
  .transform((parts) => ({ name: parts?.['name'] ?? '', address: parts?.['boxed'] ?? parts?.['bare'] ?? '' }))
  .refine(({ address }) => parseEmail(address).ok, {
    message: 'must be an e-mail address, as in chat@example.com or Chat <chat@example.com>',
  })

/** An origin as browsers send it: without a path, a default port, or capitals. Undefined for other texts. */
export function originOf(text: string): string | undefined {
  if (text === '*') return text
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+\/?$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, protocol, host } = new URL(text)
  // Shells of mobile and desktop clients have schemes of their own, for which the URL standard knows no origin.
  return origin === 'null' ? `${protocol}//${host}` : origin
}

export const jsonObject = z.string().transform((text, context) => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  context.addIssue({ code: 'custom', message: 'must be a JSON object' })
  return z.NEVER
})

export const applicationIdText = z.string().transform((text, context): ApplicationId => {
  const parsed = parseSnowflake(text)
  if (parsed.ok) return applicationId(parsed.id)
  context.addIssue({ code: 'custom', message: 'must be the id of an application' })
  return z.NEVER
})
