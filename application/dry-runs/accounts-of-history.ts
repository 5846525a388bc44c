import type { AccountQueries } from '../ports/queries/account-queries.ts'
import type { Aggregates } from '../ports.ts'

/**
 * Accounts with what administrators change as history says it: also what no read model holds yet, and what a dry run holds
 * back.
 */
export function accountsOfHistory({ account }: Pick<Aggregates, 'account'>, accounts: AccountQueries): AccountQueries {
  return {
    ...accounts,
    async findManyAsStored(ids) {
      const records = await accounts.findManyAsStored(ids)
      return Promise.all(
        records.map(async (record) => {
          const { state } = await account.load(record.id)
          if (state.status !== 'registered') return record
          const { flags, premiumFlags, traits, bannedUntil, deletion } = state
          return { ...record, flags, premiumFlags, traits, bannedUntil, deletion }
        }),
      )
    },
  }
}
