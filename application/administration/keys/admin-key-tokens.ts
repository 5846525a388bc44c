import { timestamp } from '../../../domain/kernel/timestamp.js'
import { isClosed } from '../../access/account-standing.js'
import type { AdminKeys } from '../../ports/credentials.js'
import type { Ports } from '../../ports.js'
import { activityName, idIn, isAdminKeyOf } from './admin-key.js'

/**
 * Resolves Admin keys and notes their use. Each key is read for every request, so that a key deleted or narrowed by one process
 * is so in all processes at once. A key is invalid while its owner cannot sign in.
 */
export function adminKeyTokens({ queries, sessionActivity }: Pick<Ports, 'queries' | 'sessionActivity'>): AdminKeys {
  return {
    async resolve(token) {
      const id = idIn(token)
      const key = id && (await queries.adminKeys.find(id, timestamp(Date.now())))
      if (!key || !isAdminKeyOf(token, key.keyHash)) return undefined
      const account = await queries.accounts.find(key.accountId)
      if (!account || isClosed(account)) return undefined
      sessionActivity.note(activityName(key.keyId))
      return { account, keyId: key.keyId, acls: key.acls }
    },
  }
}
