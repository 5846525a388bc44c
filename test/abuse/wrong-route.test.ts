import { afterAll, describe, expect, it } from 'vitest'
import type { AccountCallers } from '../../adapters/http/callers.ts'
import type { Operation } from '../../adapters/http/operation.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { bearer, codesOf, openTestServer, robot } from '../adapters/http/support.ts'

type Guarded = Operation & { readonly callers: AccountCallers }

const guarded = allOperations.filter((operation): operation is Guarded => operation.callers.kind === 'account')
const forUsersOnly = guarded.filter(({ callers }) => !callers.bots)
const withoutScope = guarded.filter(({ callers }) => callers.scope === null)
const withScope = guarded.filter(({ callers }) => callers.scope !== null)

/** One server for all: every one of these requests is refused before an operation begins. */
const server = await openTestServer(guarded)
afterAll(() => server.close())

/** What an operation answers to a credential: its status and code. */
async function answerTo(operation: Operation, token: string): Promise<readonly string[]> {
  const path = operation.path.replace(/:\w+/g, '1')
  return codesOf(await server.fetch(path, { method: operation.method, token }))
}

/** The policies of every operation, with stand-ins for the credentials. Real ones: oauth2-tokens, administrators, purchases-of-others. */
describe('a credential on the wrong class of routes', () => {
  it('has routes of each class to be tried on', () => {
    for (const operations of [forUsersOnly, withoutScope, withScope]) expect(operations).not.toHaveLength(0)
  })

  it.each(forUsersOnly)('a bot is refused where only people’s accounts are served: $name', async (operation) => {
    expect(await answerTo(operation, robot)).toStrictEqual(['403 ACCESS_DENIED'])
  })

  it.each(withoutScope)(
    'an OAuth2 bearer is refused where the contract does not mention one: $name',
    async (operation) => {
      // Operations of threads do not exist for it.
      const refused = operation.needsThreads ? '404 NOT_FOUND' : '403 ACCESS_DENIED'
      expect(await answerTo(operation, bearer('identify', 'email', 'guilds'))).toStrictEqual([refused])
    },
  )

  it.each(withScope)('an OAuth2 bearer is refused without the scope: $name', async (operation) => {
    expect(await answerTo(operation, bearer('other'))).toStrictEqual(['403 MISSING_OAUTH_SCOPE'])
  })
})
