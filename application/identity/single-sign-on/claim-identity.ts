import type { AccountState } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

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

/**
 * Releases the identities that an account has lost by a command, given its states before and after. If this process dies, a process
 * manager releases them. Runs under `holdingAddress`, so that nobody links one again meanwhile.
 */
export async function releaseLost(
  needs: Needs,
  accountId: AccountId,
  { before, after }: { readonly before: AccountState; readonly after: AccountState },
  context: CommandContext,
): Promise<void> {
  const kept = identitiesOf(after)
  for (const identityHash of identitiesOf(before))
    if (!kept.includes(identityHash)) await releaseIdentity(needs, identityHash, accountId, context)
}

function identitiesOf(state: AccountState): readonly string[] {
  return state.status === 'registered' ? state.singleSignOn.map(({ identityHash }) => identityHash) : []
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
