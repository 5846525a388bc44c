import { createHash } from 'node:crypto'
import { composeSnowflake, type Snowflake } from '../../domain/ids/snowflake.ts'
import { msOf, type Timestamp } from '../../domain/kernel/timestamp.ts'

/** 22 bits of a hash of the cause are the low bits of the id. */
const hash_hex = 6
const lowBits_mask = 0x3f_ffff

/** An id of an instant that derives from its cause: repeating the step gives the same id. */
export function derivedSnowflake(at: Timestamp, cause: string): Snowflake {
  const hash = createHash('sha256').update(cause).digest('hex').slice(0, hash_hex)
  return composeSnowflake(msOf(at), Number.parseInt(hash, 16) & lowBits_mask)
}
