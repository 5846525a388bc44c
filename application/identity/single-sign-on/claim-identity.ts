import type { AccountId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

type Needs = Pick<Ports, 'aggregates'>

/** Claims an identity at a provider for an account. Refuses with CONFLICT if another account holds it. */
export async function claimIdentity(
  { aggregates }: Needs,
  identityHash: string,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  const claim = { type: 'ClaimIdentity', identityHash, accountId } as const
  const { state } = await aggregates.singleSignOnIdentity.execute(identityHash, claim, context)
  // An earlier try of this command claimed it, and it was released since.
  if (state.status !== 'held' || state.accountId !== accountId) reject('CONFLICT')
}

/** Releases an identity that an account holds; does nothing if it no longer does. */
export async function releaseIdentity(
  { aggregates }: Needs,
  identityHash: string,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  await aggregates.singleSignOnIdentity.execute(identityHash, { type: 'ReleaseIdentity', accountId }, context)
}
