import { createHash, timingSafeEqual } from 'node:crypto'
import type { CommandContext } from '../../commands/command-context.ts'
import { randomText } from '../../commands/random-text.ts'

/** Without letters and digits that look alike on paper: 32 characters, 5 bits each. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const groups = 5
const group_characters = 5

/** The allowed length of a typed key. */
export const recoveryKeyLength = { min: 1, max: 64 }

/** A new recovery key: 125 random bits in groups that can be written down, such as `ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2`. */
export function newRecoveryKey(context: CommandContext): string {
  const characters = randomText(context, alphabet, groups * group_characters)
  return Array.from({ length: groups }, (_, group) =>
    characters.slice(group * group_characters, (group + 1) * group_characters),
  ).join('-')
}

/** base64url SHA-256 of a key. Only this hash is stored. Case and separators don't matter. */
export function recoveryKeyHash(key: string): string {
  return digestOf(key).toString('base64url')
}

/** Whether a key has this hash; false if there is no hash. Takes the same time for every key. */
export function isRecoveryKey(hash: string | null, given: string): boolean {
  const digest = digestOf(given)
  const isSame = timingSafeEqual(hash === null ? Buffer.alloc(digest.length) : Buffer.from(hash, 'base64url'), digest)
  return isSame && hash !== null
}

function digestOf(key: string): Buffer {
  return createHash('sha256')
    .update(key.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .digest()
}
