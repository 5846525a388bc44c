import { timingSafeEqual } from 'node:crypto'
import { derivedKey, keyedHash } from '../../../application/secrets/keys.ts'
import type { AttachmentAddresses, AttachmentName } from '../../../application/ports/attachments.ts'
import { attachmentId, channelId } from '../../../domain/ids/ids.ts'
import { parseSnowflake, snowflakeMs, type Snowflake } from '../../../domain/ids/snowflake.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'

/** How long an address is good from its issue. */
const life_s = 86_400
/** Addresses are issued in steps of this, counted from when the file was attached. */
const step_s = 43_200
/** Kept forever: another one makes every address that was given out invalid. */
const use = 'guildhall attachment addresses v1'

const attachmentPath = /^\/media\/attachments\/(?<channel>[0-9]{1,19})\/(?<id>[0-9]{1,19})\/(?<filename>[^/]{1,1024})$/

/** What is signed of an address: hexadecimal, as in its query. */
interface Signature {
  readonly ex: string
  readonly is: string
  readonly hm: string
}

/** An attachment that an address opens, and for how many more seconds. */
export interface OpenedAddress {
  readonly name: AttachmentName
  readonly left_s: number
}

export interface SignedAddresses extends AttachmentAddresses {
  /** What a path with its query opens at a moment; undefined for another path, a wrong signature, or one that has expired. */
  open(path: string, search: string, now: Timestamp): OpenedAddress | undefined
}

/** Addresses below `publicUrl`, signed with a key that is derived from PERSONAL_DATA_KEY: every process gives the same ones. */
export function attachmentAddresses(personalDataKey: Uint8Array, publicUrl: () => string): SignedAddresses {
  const key = derivedKey(personalDataKey, use)
  const signed = (name: AttachmentName, ex: string, is: string): Signature => {
    const hash = keyedHash(key, ['guildhall', ex, is, 'attachment', storageKey(name)].join('\n'))
    return { ex, is, hm: hash.toString('hex') }
  }
  const addressOf = (name: AttachmentName, now: Timestamp): string => {
    const attached_s = Math.floor(snowflakeMs(name.id) / 1000)
    const steps = Math.max(0, Math.floor((secondsOf(now) - attached_s) / step_s))
    const issued_s = attached_s + steps * step_s
    const { ex, is, hm } = signed(name, inHex(issued_s + life_s), inHex(issued_s))
    return `${publicUrl()}${pathOf(name)}?ex=${ex}&is=${is}&hm=${hm}`
  }
  return {
    addressOf,
    renewed(address, now) {
      if (!URL.canParse(address)) return undefined
      const { origin, pathname } = new URL(address)
      const base = new URL(publicUrl())
      const below = base.pathname.replace(/\/$/, '')
      if (origin !== base.origin || !pathname.startsWith(`${below}/`)) return undefined
      const name = nameIn(pathname.slice(below.length))
      return name && addressOf(name, now)
    },
    open(path, search, now) {
      const name = nameIn(path)
      const query = new URLSearchParams(search)
      const [ex, is, hm] = ['ex', 'is', 'hm'].map((part) => query.get(part) ?? '')
      if (!name || !isHex(ex, time_digits) || !isHex(is, time_digits) || !isHex(hm, hm_digits)) return undefined
      const left_s = Number.parseInt(ex, 16) - secondsOf(now)
      return left_s > 0 && isEqual(signed(name, ex, is).hm, hm) ? { name, left_s } : undefined
    },
  }
}

const time_digits = 8
const hm_digits = 64

function isHex(text: string | undefined, digits: number): text is string {
  return text !== undefined && text.length === digits && /^[0-9a-f]+$/.test(text)
}

const secondsOf = (instant: Timestamp): number => Math.floor(msOf(instant) / 1000)
const inHex = (seconds: number): string => seconds.toString(16).padStart(time_digits, '0')
const isEqual = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

function storageKey({ channelId: channel, id, filename }: AttachmentName): string {
  return `attachments/${channel}/${id}/${filename}`
}

function pathOf({ channelId: channel, id, filename }: AttachmentName): string {
  return `/media/attachments/${channel}/${id}/${encodeURIComponent(filename)}`
}

function nameIn(path: string): AttachmentName | undefined {
  const { channel = '', id = '', filename = '' } = attachmentPath.exec(path)?.groups ?? {}
  const [ofChannel, ofFile, decoded] = [idOf(channel), idOf(id), decodedName(filename)]
  if (!ofChannel || !ofFile || decoded === undefined) return undefined
  return { channelId: channelId(ofChannel), id: attachmentId(ofFile), filename: decoded }
}

function idOf(text: string): Snowflake | undefined {
  const parsed = parseSnowflake(text)
  return parsed.ok ? parsed.id : undefined
}

/** Undefined for what is not encoded as a URL demands. */
function decodedName(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text)
    return decoded === '' ? undefined : decoded
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
