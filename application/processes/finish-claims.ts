import type { EmailAddressClaimed } from '../../domain/email-address/events.js'
import type { HandleClaimed } from '../../domain/handle/events.js'
import { releaseAddress, releaseTag } from '../accounts/claim-identity.js'
import type { CommandContext } from '../commands/command-context.js'
import type { Ports } from '../ports.js'

type Needs = Pick<Ports, 'aggregates' | 'addressHash'>

/** Frees a tag that no account has; where its account has it, the one that it took the place of. */
export async function finishHandleClaim(
  needs: Needs,
  { username, discriminator, accountId, replaces }: HandleClaimed,
  context: CommandContext,
): Promise<void> {
  const { state } = await needs.aggregates.account.load(accountId)
  const isItsTag =
    state.status === 'registered' &&
    state.username.toLowerCase() === username.toLowerCase() &&
    state.discriminator === discriminator
  if (!isItsTag) await releaseTag(needs, username, accountId, context)
  else if (replaces !== undefined) await releaseTag(needs, replaces.username, accountId, context)
}

/** Frees an e-mail address that no account has; where its account has it, the one that it took the place of. */
export async function finishAddressClaim(
  needs: Needs,
  { addressHash, accountId, replaces }: EmailAddressClaimed,
  context: CommandContext,
): Promise<void> {
  const { state } = await needs.aggregates.account.load(accountId)
  const email = state.status === 'registered' ? state.email : null
  const isItsAddress = email !== null && needs.addressHash(email) === addressHash
  if (!isItsAddress) await releaseAddress(needs, addressHash, accountId, context)
  else if (replaces !== undefined) await releaseAddress(needs, replaces, accountId, context)
}
