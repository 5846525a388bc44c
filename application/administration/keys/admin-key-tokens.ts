import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { openAccount, type OpenAccountNeeds } from '../../access/open-account.ts'
import { stillSpeaks } from '../../access/still-speaks.ts'
import type { AdminKeys } from '../../ports/credentials.ts'
import type { Ports } from '../../ports.ts'
import { activityName, idIn, isAdminKeyOf } from './admin-key.ts'

/**
 * Resolves Admin keys and notes their use. Each key is read for every request, so that a key deleted or narrowed by one process
 * is so in all processes at once. A key is invalid while its owner's account is closed or a bot, and once the account has ended
 * its delegations; a ban that is over ends here.
 */
export function adminKeyTokens(needs: OpenAccountNeeds & Pick<Ports, 'queries' | 'sessionActivity'>): AdminKeys {
  const { queries, sessionActivity } = needs
  const open = openAccount(needs, 'person')
  return {
    async resolve(token) {
      const id = idIn(token)
      const now = timestamp(Date.now())
      const key = id && (await queries.adminKeys.find(id, now))
      if (!key || !isAdminKeyOf(token, key.keyHash)) return undefined
      const account = await open(await queries.accounts.find(key.accountId), now)
      if (!account || !stillSpeaks(account, key)) return undefined
      sessionActivity.note(activityName(key.keyId))
      return { account, keyId: key.keyId, acls: key.acls }
    },
  }
}
