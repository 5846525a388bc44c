import { LRUCache } from 'lru-cache'
import type { AccountId } from '../../../domain/ids/ids.js'
import { accountId } from '../../../domain/ids/ids.js'
import { snowflake } from '../../../domain/ids/snowflake.js'
import { growsTo } from '../../../domain/kernel/grows-to.js'
import { categoryOf, idOf } from '../../../domain/streams.js'
import type { RecordedEvent } from '../../ports/event-store.js'
import type { AccountQueries, AccountRecord } from '../../ports/queries/account-queries.js'
import type { SessionTokens } from '../../ports/session-tokens.js'
import { sessionTokenHash } from './session-token.js'

export interface CachedSessionTokens extends SessionTokens {
  /** Told of every event once the read models hold it: what was remembered of its account is forgotten. */
  forget(event: RecordedEvent): void
}

/**
 * Resolves every session token from the accounts read model: where several processes serve, a session that one of them has
 * ended is over in all of them at once.
 */
export function sessionTokensIn(accounts: Pick<AccountQueries, 'bySession'>): SessionTokens {
  return {
    async resolve(token) {
      const tokenHash = sessionTokenHash(token)
      const account = await accounts.bySession(tokenHash)
      return account && { account, tokenHash }
    },
  }
}

export const rememberedSessions_max = 50_000

/**
 * The same for the only process of an instance, remembering live sessions and their accounts. A token that names no
 * session is asked for each time, so guessing fills no memory.
 */
export function cachedSessionTokens(accounts: Pick<AccountQueries, 'find' | 'bySession'>): CachedSessionTokens {
  const sessions = new LRUCache<string, AccountId>(growsTo(rememberedSessions_max))
  const records = new LRUCache<AccountId, AccountRecord>(growsTo(rememberedSessions_max))
  /** Grows with every event of an account: what was read before one is not remembered after it. */
  let forgotten = 0

  async function read(tokenHash: string): Promise<AccountRecord | undefined> {
    const before = forgotten
    const known = sessions.get(tokenHash)
    const account = await (known === undefined ? accounts.bySession(tokenHash) : accounts.find(known))
    if (account && before === forgotten) {
      sessions.set(tokenHash, account.id)
      records.set(account.id, account)
    }
    return account
  }

  return {
    async resolve(token) {
      const tokenHash = sessionTokenHash(token)
      const known = sessions.get(tokenHash)
      const account = (known === undefined ? undefined : records.get(known)) ?? (await read(tokenHash))
      return account && { account, tokenHash }
    },
    forget({ stream, type, data }) {
      const category = categoryOf(stream)
      // Settings say which language the account reads.
      if (category !== 'account' && category !== 'user_settings') return
      forgotten += 1
      records.delete(accountId(snowflake(idOf(stream))))
      if (type === 'SessionEnded' && 'tokenHash' in data && typeof data.tokenHash === 'string')
        sessions.delete(data.tokenHash)
    },
  }
}
