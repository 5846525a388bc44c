import type { Caller } from '../../application/caller.js'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.js'
import { accountId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import type { TestAccount, TestGuildhall } from './test-guildhall.js'
import { testRequester } from './test-requester.js'

/** The caller of a request by an account's session, as the pipeline resolves it now: whatever ends later, this one has begun. */
export async function callerOf(
  { ports }: Pick<TestGuildhall, 'ports'>,
  { id, token }: Pick<TestAccount, 'id' | 'token'>,
): Promise<Caller> {
  const account = await ports.queries.accounts.find(accountId(snowflake(id)))
  if (!account) throw new Error('The account is not there')
  return { ...testRequester(), account, credential: { kind: 'session', tokenHash: sessionTokenHash(token) } }
}
