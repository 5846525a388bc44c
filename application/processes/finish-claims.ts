import { releaseAddress, releaseTag, type ClaimedTag } from '../accounts/claim-identity.js'
import type { AccountId } from '../../domain/ids/ids.js'
import type { CommandContext } from '../commands/command-context.js'
import type { Ports } from '../ports.js'

type Needs = Pick<Ports, 'aggregates'>

interface ClaimedBy {
  readonly accountId: AccountId
}

/** Frees a tag that no account was registered with. */
export async function finishHandleClaim(
  needs: Needs,
  { username, discriminator, accountId }: ClaimedBy & ClaimedTag,
  context: CommandContext,
): Promise<void> {
  const { state } = await needs.aggregates.account.load(accountId)
  const isItsTag =
    state.status === 'registered' &&
    state.username.toLowerCase() === username.toLowerCase() &&
    state.discriminator === discriminator
  if (!isItsTag) await releaseTag(needs, username, accountId, context)
}

/** Frees an e-mail address whose account was never registered. */
export async function finishAddressClaim(
  needs: Needs,
  { addressHash, accountId }: ClaimedBy & { readonly addressHash: string },
  context: CommandContext,
): Promise<void> {
  const { state } = await needs.aggregates.account.load(accountId)
  if (state.status === 'absent') await releaseAddress(needs, addressHash, accountId, context)
}
