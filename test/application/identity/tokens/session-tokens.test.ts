import { describe, expect, it } from 'vitest'
import { sessionTokenHash } from '../../../../application/identity/tokens/session-token.ts'
import { cachedAccounts } from '../../../../application/caches/cached-accounts.ts'
import { sessionTokensIn } from '../../../../application/identity/tokens/session-tokens.ts'
import type { AccountQueries, AccountRecord } from '../../../../application/ports/queries/account-queries.ts'
import { register } from '../../../../application/identity/accounts/registering/register.ts'
import { world, type World } from '../../support/world.ts'

interface Scene {
  readonly on: World
  readonly token: string
  readonly account: AccountRecord
  /** The calls of the read model. */
  readonly asked: string[]
  readonly accounts: AccountQueries
}

async function scene(): Promise<Scene> {
  const on = world()
  const nothing = { email: null, username: 'Ada', globalName: null, password: null, dateOfBirth: null, consent: false }
  const answer = await register(on.ports)(on.requester(), { ...nothing, inviteCode: null, registrationUrlCode: null })
  if (!('token' in answer)) throw new Error('It waits for approval')
  const { token, user_id: id } = answer
  const { accounts } = on.ports.queries
  const account = await accounts.find(id)
  if (!account) throw new Error('Nobody is registered')
  const asked: string[] = []
  return {
    on,
    token,
    account,
    asked,
    accounts: {
      ...accounts,
      find: async (given) => (asked.push('find'), accounts.find(given)),
      bySession: async (given) => (asked.push('bySession'), accounts.bySession(given)),
    },
  }
}

/** Tokens over cached accounts. */
function cachedTokens(accounts: AccountQueries) {
  const { queries, forget } = cachedAccounts(accounts, () => true)
  return { ...sessionTokensIn(queries), forget }
}

/** Ends the session, as its logout in any process would. */
async function end({ on, account, token }: Scene): Promise<void> {
  const command = { type: 'EndSession', tokenHash: sessionTokenHash(token) } as const
  await on.ports.aggregates.account.execute(account.id, command, on.requester().context)
  await on.ports.readModels.reached(0n)
}

const last = async ({ on }: Scene) => {
  const event = (await on.events()).at(-1)
  if (!event) throw new Error('Nothing happened')
  return event
}

describe('resolving a session token', () => {
  it('names the account and the public id of the session, and asks the read model once', async () => {
    const { token, account, asked, accounts } = await scene()
    const tokens = cachedTokens(accounts)
    const expected = { account, tokenHash: sessionTokenHash(token) }
    expect(await tokens.resolve(token)).toStrictEqual(expected)
    expect(await tokens.resolve(token)).toStrictEqual(expected)
    expect(asked).toStrictEqual(['bySession'])
  })

  it('returns nothing for a token without a session, and caches nothing of it', async () => {
    const { accounts, asked } = await scene()
    const tokens = cachedTokens(accounts)
    expect(await tokens.resolve('gld_unknown')).toBeUndefined()
    expect(await tokens.resolve('gld_unknown')).toBeUndefined()
    expect(asked).toStrictEqual(['bySession', 'bySession'])
  })

  it('returns nothing once the session has ended', async () => {
    const it = await scene()
    const tokens = cachedTokens(it.accounts)
    await tokens.resolve(it.token)
    await end(it)
    tokens.forget(await last(it))
    expect(await tokens.resolve(it.token)).toBeUndefined()
  })

  it('reads an account again after each of its events', async () => {
    const it = await scene()
    const tokens = cachedTokens(it.accounts)
    await tokens.resolve(it.token)
    const command = { type: 'GrantAcls', accountId: it.account.id, acls: ['*'] } as const
    await it.on.ports.aggregates.account.execute(it.account.id, command, it.on.requester().context)
    await it.on.ports.readModels.reached(0n)
    tokens.forget(await last(it))
    expect(await tokens.resolve(it.token)).toMatchObject({ account: { acls: ['*'] } })
    expect(it.asked).toStrictEqual(['bySession', 'bySession'])
  })

  it('asks for an ended session again, though its account was read meanwhile', async () => {
    const it = await scene()
    const held = cachedAccounts(it.accounts, () => true)
    const tokens = sessionTokensIn(held.queries)
    await tokens.resolve(it.token)
    await end(it)
    held.forget(await last(it))
    await held.queries.find(it.account.id)
    expect(await tokens.resolve(it.token)).toBeUndefined()
  })

  it('caches nothing that was read while the cache was not in use, even if it is afterwards', async () => {
    const it = await scene()
    let inUse = false
    const held = cachedAccounts(it.accounts, () => inUse)
    const reading = held.queries.find(it.account.id)
    inUse = true
    await reading
    await held.queries.find(it.account.id)
    expect(it.asked).toStrictEqual(['find', 'find'])
  })

  it('does not cache what was read before an event and arrived after it', async () => {
    const it = await scene()
    let release: (() => void) | undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const slow: AccountQueries = {
      ...it.accounts,
      bySession: async (hash) => {
        const found = await it.accounts.bySession(hash)
        await held
        return found
      },
    }
    const tokens = cachedTokens(slow)
    const early = tokens.resolve(it.token)
    await end(it)
    tokens.forget(await last(it))
    release?.()
    expect(await early).toBeDefined()
    expect(await tokens.resolve(it.token)).toBeUndefined()
  })

  it('ignores events of other aggregates', async () => {
    const it = await scene()
    const tokens = cachedTokens(it.accounts)
    await tokens.resolve(it.token)
    for (const event of await it.on.events()) if (!event.stream.startsWith('account-')) tokens.forget(event)
    await tokens.resolve(it.token)
    expect(it.asked).toStrictEqual(['bySession'])
  })
})
