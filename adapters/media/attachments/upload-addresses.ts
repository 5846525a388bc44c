import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { derivedKey, keyedHash } from '../../../application/secrets/keys.ts'
import type { UploadAddresses } from '../../../application/ports/uploads.ts'
import { attachmentId } from '../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../domain/ids/snowflake.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'

/** How long an address is good from its issue. */
const life_s = 900
const use = 'guildhall upload addresses v1'

/** What is signed of an address: upload, part (0 for the whole), length, and until when, in Unix seconds. */
const signed = z.tuple([z.string(), z.int().min(0), z.int().min(0), z.int()])

/** Addresses below `publicUrl`, signed with a key that is derived from PERSONAL_DATA_KEY: every process takes the same ones. */
export function uploadAddresses(personalDataKey: Uint8Array, publicUrl: () => string): UploadAddresses {
  const key = derivedKey(personalDataKey, use)
  const macOf = (payload: string): Buffer => keyedHash(key, payload)
  return {
    addressOf({ id, part, size_bytes }, now) {
      const payload = JSON.stringify([id, part ?? 0, size_bytes, secondsOf(now) + life_s])
      const token = `${Buffer.from(payload).toString('base64url')}.${macOf(payload).toString('base64url')}`
      return `${publicUrl()}/v1/relay/${id}?t=${token}`
    },
    open(named, token, now) {
      const [encoded = '', sealed = ''] = token.split('.')
      const payload = Buffer.from(encoded, 'base64url').toString()
      const [mac, expected] = [Buffer.from(sealed, 'base64url'), macOf(payload)]
      if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return 'invalid'
      const [id, part, size_bytes, until_s] = signed.parse(JSON.parse(payload))
      if (until_s <= secondsOf(now)) return 'invalid'
      const parsed = parseSnowflake(id)
      if (id !== named || !parsed.ok) return 'mismatch'
      return { id: attachmentId(parsed.id), part: part === 0 ? null : part, size_bytes }
    },
  }
}

const secondsOf = (instant: Timestamp): number => Math.floor(msOf(instant) / 1000)
