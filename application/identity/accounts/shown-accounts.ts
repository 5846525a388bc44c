import type { Limits } from '../../ports/limits.ts'
import type { AccountRecord, ShowAccount } from '../../ports/queries/account-queries.ts'
import type { AllQueries } from '../../ports.ts'

/**
 * Shows an account as its current limits allow: without `feature_animated_avatar` its avatar is still, and without
 * `feature_animated_banner` it has no banner. The stored images stay, and show again with the limit.
 */
export function showingWithin({
  cached,
  everyoneHasPremium,
}: Pick<Limits, 'cached' | 'everyoneHasPremium'>): ShowAccount {
  return async (found) => {
    const account = { ...found, everyoneHasPremium: await everyoneHasPremium() }
    const { avatar, banner } = account.profile
    if (banner === null && avatar?.startsWith('a_') !== true) return account
    const { feature_animated_avatar: mayMove, feature_animated_banner: mayHaveBanner } = await cached(account)
    const shown = {
      ...(mayMove === 0 ? { avatar: avatar?.replace(/^a_/, '') ?? null } : {}),
      ...(mayHaveBanner === 0 ? { banner: null, bannerColor: null } : {}),
    }
    return { ...account, profile: { ...account.profile, ...shown } }
  }
}

/** The same queries, giving accounts as they are shown. */
export function queriesShowing(show: ShowAccount, queries: AllQueries): AllQueries {
  const { accounts, applications } = queries
  const shown = async (record: AccountRecord | undefined) => record && show(record)
  return {
    ...queries,
    accounts: {
      find: async (account) => shown(await accounts.find(account)),
      findMany: async (ids) => Promise.all((await accounts.findMany(ids)).map(show)),
      findManyAsStored: (ids) => accounts.findManyAsStored(ids),
      bySession: async (tokenHash) => shown(await accounts.bySession(tokenHash)),
      holdersOfAllAcls: () => accounts.holdersOfAllAcls(),
      byTag: async (username, discriminator) => shown(await accounts.byTag(username, discriminator)),
    },
    applications: { ...applications, botByToken: async (tokenHash) => shown(await applications.botByToken(tokenHash)) },
  }
}
