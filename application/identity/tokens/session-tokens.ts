import { LRUCache } from 'lru-cache'
import { endedSessions } from '../../../domain/account/ended-sessions.js'
import type { AccountEvent } from '../../../domain/account/events.js'
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
  /** Called with every event once the read models hold it. Drops what is cached of the event's account. */
  forget(event: RecordedEvent): void
}

/**
 * Resolves session tokens. Each is read from the accounts read model, so that a session ended by one process is over in all
 * processes at once.
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
 * The same for an instance of one process, with a cache of live sessions and their accounts. A token without a session is looked
 * up each time, so guessing fills no memory.
 */
export function cachedSessionTokens(accounts: Pick<AccountQueries, 'find' | 'bySession'>): CachedSessionTokens {
  const sessions = new LRUCache<string, AccountId>(growsTo(rememberedSessions_max))
  const records = new LRUCache<AccountId, AccountRecord>(growsTo(rememberedSessions_max))
  /** Grows with every event of an account. A read that began before an event is not cached after it. */
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
      // An account's language is one of its settings.
      if (category !== 'account' && category !== 'user_settings') return
      forgotten += 1
      records.delete(accountId(snowflake(idOf(stream))))
      // The codec has checked that the data matches the type.
      for (const tokenHash of endedSessions({ type, data } as AccountEvent)) sessions.delete(tokenHash)
    },
  }
}
