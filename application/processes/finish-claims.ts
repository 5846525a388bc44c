import type { SingleSignOnUnlinked } from '../../domain/account/events.ts'
import type { EmailAddressAwaited, EmailAddressClaimed } from '../../domain/email-address/events.ts'
import type { HandleClaimed } from '../../domain/handle/events.ts'
import type { RegistrationUrlUse } from '../../domain/registration-url/events.ts'
import type { SingleSignOnIdentityClaimed } from '../../domain/single-sign-on-identity/events.ts'
import { releaseAddress, releaseTag } from '../identity/accounts/claim-identity.ts'
import { holdingAddress } from '../identity/accounts/holding-address.ts'
import { tellEarlierAddress } from '../identity/recovery/tell-earlier-address.ts'
import { registerBot } from '../apps/applications/register-bot.ts'
import type { CommandContext } from '../commands/command-context.ts'
import type { Ports } from '../ports.ts'
import { returnUrlUse } from '../identity/registrations/use-registration-url.ts'
import { releaseIdentity } from '../identity/single-sign-on/claim-identity.ts'

type Needs = Pick<Ports, 'aggregates' | 'addressHash'>

/**
 * Releases a tag that its account does not have; if the account has it, releases the tag that it replaced. Also registers the bot
 * of an application that was created with the tag.
 */
export async function finishHandleClaim(
  needs: Needs,
  { username, discriminator, accountId, replaces }: HandleClaimed,
  context: CommandContext,
): Promise<void> {
  const { state } = await needs.aggregates.account.load(accountId)
  const { state: application } = await needs.aggregates.application.load(accountId)
  if (state.status === 'absent' && application.status !== 'absent') return registerBot(needs, application, context)
  const isItsTag =
    state.status === 'registered' &&
    state.username.toLowerCase() === username.toLowerCase() &&
    state.discriminator === discriminator
  if (!isItsTag) await releaseTag(needs, { username, discriminator }, accountId, context)
  else if (replaces !== undefined) await releaseTag(needs, replaces, accountId, context)
}

/**
 * Releases an e-mail address that its account does not have, or ends its waiting for it; if the account has it, releases the
 * address that it replaced, which is told of the change. Refuses with CONFLICT while the address of the account is being changed.
 */
export async function finishAddressClaim(
  needs: Needs & Pick<Ports, 'locks' | 'mail' | 'tickets'>,
  { addressHash, accountId, replaces }: EmailAddressClaimed | EmailAddressAwaited,
  context: CommandContext,
): Promise<void> {
  await holdingAddress(needs, accountId, async () => {
    const { state } = await needs.aggregates.account.load(accountId)
    const isItsAddress =
      state.status === 'registered' && state.email !== null && needs.addressHash(state.email) === addressHash
    if (!isItsAddress) await releaseAddress(needs, addressHash, accountId, context)
    else if (replaces !== undefined) {
      await tellEarlierAddress(needs, state, replaces)
      await releaseAddress(needs, replaces, accountId, context)
    }
  })
}

/** Returns the use of a registration URL if no account was registered by it. */
export async function finishUrlUse(
  needs: Needs,
  { registrationUrlId, accountId }: RegistrationUrlUse,
  context: CommandContext,
): Promise<void> {
  const { state } = await needs.aggregates.account.load(accountId)
  if (state.status === 'absent') await returnUrlUse(needs, registrationUrlId, accountId, context)
}

/**
 * Releases an identity at an OpenID provider that its account is not linked to. Refuses with CONFLICT while the account is being
 * linked or taken back.
 */
export async function finishIdentityClaim(
  needs: Needs & Pick<Ports, 'locks'>,
  { identityHash, accountId }: SingleSignOnIdentityClaimed | SingleSignOnUnlinked,
  context: CommandContext,
): Promise<void> {
  await holdingAddress(needs, accountId, async () => {
    const { state } = await needs.aggregates.account.load(accountId)
    const isItsIdentity =
      state.status === 'registered' && state.singleSignOn.some((link) => link.identityHash === identityHash)
    if (!isItsIdentity) await releaseIdentity(needs, identityHash, accountId, context)
  })
}
