import type { Caller } from '../../application/caller.ts'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import type { TestAccount, TestGuildhall } from './test-guildhall.ts'
import { testRequester } from './test-requester.ts'

/** The caller of a request by an account's session, as the pipeline resolves it now: whatever ends later, this one has begun. */
export async function callerOf(
  { ports }: Pick<TestGuildhall, 'ports'>,
  { id, token }: Pick<TestAccount, 'id' | 'token'>,
): Promise<Caller> {
  const account = await ports.queries.accounts.find(accountId(snowflake(id)))
  if (!account) throw new Error('The account is not there')
  return { ...testRequester(), account, credential: { kind: 'session', tokenHash: sessionTokenHash(token) } }
}
