import { createHash, timingSafeEqual } from 'node:crypto'
import type { CommandContext } from '../../commands/command-context.js'
import { randomText } from '../../commands/random-text.js'

/** Without letters and digits that are taken for each other on paper: 32 of them, 5 bits a character. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const groups = 5
const group_characters = 5

/** How long the text of a key may be that somebody types. */
export const recoveryKeyLength = { min: 1, max: 64 }

/** A new recovery key, 125 bits of chance in groups that can be written down: `ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2`. */
export function newRecoveryKey(context: CommandContext): string {
  const characters = randomText(context, alphabet, groups * group_characters)
  return Array.from({ length: groups }, (_, group) =>
    characters.slice(group * group_characters, (group + 1) * group_characters),
  ).join('-')
}

/** base64url SHA-256 of a key: all that is stored of it. Case, and what stands between the groups, don't matter. */
export function recoveryKeyHash(key: string): string {
  return digestOf(key).toString('base64url')
}

/** Whether a key is the one of a hash; none is where there is no hash. Takes the same time for every key. */
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
