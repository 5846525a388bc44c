import { timestampInput } from '../../adapters/http/schemas/timestamps.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** The instant that an option names, undefined for none. Throws for what is no instant. */
export function instantIn(text: string | undefined, option: string): Timestamp | undefined {
  if (text === undefined) return undefined
  const parsed = timestampInput.safeParse(text)
  if (!parsed.success) throw new Error(`${option} takes an instant as in 2030-01-31T12:00:00Z, not ${text}`)
  return parsed.data
}
