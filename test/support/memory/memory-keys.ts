import { randomBytes } from 'node:crypto'
import type { PersonalDataKeys } from '../../../application/ports/personal-data-keys.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Snowflake } from '../../../domain/ids/snowflake.ts'
import { key_bytes } from '../../../application/secrets/keys.ts'

/** Keys for tests, in memory only. */
export function memoryPersonalDataKeys(): PersonalDataKeys {
  /** Null is a tombstone. */
  const keys = new Map<Snowflake, Uint8Array | null>()

  const held = (accounts: readonly AccountId[]): ReadonlyMap<AccountId, Uint8Array> =>
    new Map(
      accounts.flatMap((account): [AccountId, Uint8Array][] => {
        const key = keys.get(account)
        return key ? [[account, key]] : []
      }),
    )

  return {
    async keysFor(accounts) {
      for (const account of accounts) if (!keys.has(account)) keys.set(account, randomBytes(key_bytes))
      return held(accounts)
    },
    existingKeys: async (accounts) => held(accounts),
    destroy: async (account: Snowflake) => void keys.set(account, null),
  }
}
