import { hash } from 'node:crypto'

/**
 * A UUIDv7 derived from another UUIDv7 and a label: the same two always give the same id. It keeps the other's milliseconds, so
 * ids sort by the time of the command that they come from.
 */
export function deriveId(uuid7: string, label: string): string {
  const time = uuid7.replaceAll('-', '').slice(0, 12)
  const rest = hash('sha256', `${uuid7}\n${label}`)
  const variant = ((Number.parseInt(rest.slice(3, 4), 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-${variant}${rest.slice(4, 7)}-${rest.slice(7, 19)}`
}

/** A UUIDv7 made of an instant, in milliseconds since the Unix epoch, and 10 random bytes. */
export function uuid7(ms: number, random: Uint8Array): string {
  const time = ms.toString(16).padStart(12, '0')
  const rest = Buffer.from(random).toString('hex')
  const variant = ((Number.parseInt(rest.slice(3, 4), 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-${variant}${rest.slice(4, 7)}-${rest.slice(7, 19)}`
}
