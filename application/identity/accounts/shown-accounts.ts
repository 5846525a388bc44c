import type { Limits } from '../../ports/limits.js'
import type { AccountRecord, ShowAccount } from '../../ports/queries/account-queries.js'
import type { AllQueries } from '../../ports.js'
import type { SessionTokens } from '../../ports/session-tokens.js'

/**
 * Shows an account as its limits let it be shown now: without `feature_animated_avatar` its avatar stands still, and without
 * `feature_animated_banner` it has no banner (reference identity 9.1, 9.2). What it has set stays, and comes back with the limit.
 */
export function showingWithin({ atHand }: Pick<Limits, 'atHand'>): ShowAccount {
  return async (account) => {
    const { avatar, banner } = account.profile
    if (banner === null && avatar?.startsWith('a_') !== true) return account
    const { feature_animated_avatar: mayMove, feature_animated_banner: mayHaveBanner } = await atHand(account)
    const shown = {
      ...(mayMove === 0 ? { avatar: avatar?.replace(/^a_/, '') ?? null } : {}),
      ...(mayHaveBanner === 0 ? { banner: null, bannerColor: null } : {}),
    }
    return { ...account, profile: { ...account.profile, ...shown } }
  }
}

/** The same queries, which give accounts as they are shown. */
export function queriesShowing(show: ShowAccount, queries: AllQueries): AllQueries {
  const { accounts, applications } = queries
  const shown = async (record: AccountRecord | undefined) => record && show(record)
  return {
    ...queries,
    accounts: {
      find: async (account) => shown(await accounts.find(account)),
      findMany: async (ids) => Promise.all((await accounts.findMany(ids)).map(show)),
      bySession: async (tokenHash) => shown(await accounts.bySession(tokenHash)),
      byTag: async (username, discriminator) => shown(await accounts.byTag(username, discriminator)),
    },
    applications: { ...applications, botByToken: async (tokenHash) => shown(await applications.botByToken(tokenHash)) },
  }
}

/** The same tokens, of accounts as they are shown: where accounts are remembered, that is how they were found. */
export function tokensShowing(show: ShowAccount, tokens: SessionTokens): SessionTokens {
  return {
    resolve: async (token) => {
      const session = await tokens.resolve(token)
      return session && { ...session, account: await show(session.account) }
    },
  }
}
