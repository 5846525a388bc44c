import { revertEmailTicket } from '../../../application/identity/recovery/mailed-tokens.ts'
import { revert_s } from '../../../domain/account/state.ts'
import { accountId as accountIdOf } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount, TestGuildhall, TestMail } from '../../support/test-guildhall.ts'

/** The token in a mail. */
export function tokenIn({ subject, text }: TestMail): string {
  const token = /(?<![A-Za-z0-9])[A-Za-z0-9]{64}(?![A-Za-z0-9])/.exec(text)?.[0]
  if (token === undefined) throw new Error(`There is no token in ${subject}`)
  return token
}

/** Gives the account another address without the proofs that the operation requires; returns the token that reverts it. */
export async function changeEmailAddress(
  { ports }: TestGuildhall,
  { id, email: before }: TestAccount,
  email: string,
): Promise<string> {
  const accountId = accountIdOf(snowflake(id))
  const context = testContext({ kind: 'account', id: accountId })
  const { now: changedAt } = context
  const { account, emailAddress } = ports.aggregates
  const addressHash = ports.addressHash(email)
  await emailAddress.execute(addressHash, { type: 'ClaimAddress', addressHash, accountId }, context)
  await account.execute(
    accountId,
    { type: 'ChangeEmailAddress', email, from: before, verified: true, now: changedAt },
    context,
  )
  const beforeHash = ports.addressHash(before)
  await emailAddress.execute(beforeHash, { type: 'ReleaseAddress', addressHash: beforeHash, accountId }, context)
  await ports.readModels.reached(context.written)
  return ports.tickets.issue(revertEmailTicket, { accountId, email: before, changedAt }, revert_s, id)
}
