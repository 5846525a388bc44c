import type { SingleSignOnUnlinked } from '../../../domain/account/events.ts'
import type { EmailAddressAwaited, EmailAddressClaimed } from '../../../domain/email-address/events.ts'
import type { HandleClaimed } from '../../../domain/handle/events.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { RegistrationUrlUse } from '../../../domain/registration-url/events.ts'
import type { SingleSignOnIdentityClaimed } from '../../../domain/single-sign-on-identity/events.ts'
import { registerBot } from '../../apps/applications/register-bot.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { releaseAddress, releaseTag } from '../../identity/accounts/claim-identity.ts'
import { holdingAddress } from '../../identity/accounts/holding-address.ts'
import { tellEarlierAddress } from '../../identity/recovery/tell-earlier-address.ts'
import { returnUrlUse } from '../../identity/registrations/use-registration-url.ts'
import { releaseIdentity } from '../../identity/single-sign-on/claim-identity.ts'
import type { FinishingNeeds } from '../finishing-needs.ts'
import { processManager, type DependsOn } from '../process-manager.ts'

/** If the account changed to another tag before it got this one, the step stays until the tag is released. */
export const handleClaim = processManager({
  name: 'handle_claim',
  unfinished: 'A tag was claimed, and no account is registered with it, or the tag that it replaces is not released.',
  finishing: 'A tag that the account does not have is released; if it has it, the tag before is.',
  begins: {
    HandleClaimed: ({ data }) => ({
      key: tagOf(data),
      data,
      ...(data.replaces === undefined ? {} : { replaced: tagOf(data.replaces) }),
    }),
  },
  ends: {
    AccountRegistered: ({ data }) => [{ key: tagOf(data) }],
    HandleReleased: ({ data }) => [{ key: tagOf(data) }, { replaced: tagOf(data) }],
  },
  finish: (ports, { data }, context) => finishHandleClaim(ports, data, context),
})

/**
 * An account's address is personal and cannot be queried in the read model, so registering, and getting a first address, ends all
 * claims of the account that replace no other. An account that waited has the address already when it gets the claim: that begins
 * nothing.
 */
export const addressClaim = processManager({
  name: 'address_claim',
  unfinished:
    'An e-mail address was claimed or is waited for, and the account does not have it, or the address that it replaces is not released.',
  finishing:
    'An address that the account does not have is released. If it has it, the address before is told of the change and released.',
  begins: {
    EmailAddressClaimed: ({ data }) =>
      data.awaited === true ? undefined : { key: data.addressHash, data, ...addressEnd(data) },
    EmailAddressAwaited: ({ data }) => ({ key: addressOf(data), data, ...addressEnd(data) }),
  },
  ends: {
    AccountRegistered: ({ data }) => [{ accountId: data.accountId }],
    EmailAddressChanged: ({ data }) => [{ accountId: data.accountId }],
    EmailAddressReleased: ({ data }) => [
      { key: data.addressHash },
      { key: addressOf(data) },
      { replaced: addressOf(data) },
    ],
    EmailAddressNoLongerAwaited: ({ data }) => [{ key: addressOf(data) }, { replaced: addressOf(data) }],
  },
  finish: (ports, { data }, context) => finishAddressClaim(ports, data, context),
})

export const registrationUrlUse = processManager({
  name: 'registration_url_use',
  unfinished: 'A use of a registration URL was taken, and its account is not registered.',
  finishing: 'The use is returned.',
  begins: {
    RegistrationUrlUsed: ({ data }) => ({ key: data.accountId, data, accountId: data.accountId }),
  },
  ends: {
    AccountRegistered: ({ data }) => [{ accountId: data.accountId }],
    RegistrationUrlUseReturned: ({ data }) => [{ key: data.accountId }],
  },
  finish: (ports, { data }, context) => finishUrlUse(ports, data, context),
})

export const identityClaim = processManager({
  name: 'identity_claim',
  unfinished: 'An identity at an OpenID provider is claimed, and its account is not linked to it, or no longer.',
  finishing: 'The identity is released.',
  begins: {
    SingleSignOnIdentityClaimed: ({ data }) => ({ key: data.identityHash, data }),
    SingleSignOnUnlinked: ({ data }) => ({ key: data.identityHash, data }),
  },
  ends: {
    SingleSignOnLinked: ({ data }) => [{ key: data.identityHash }],
    SingleSignOnIdentityReleased: ({ data }) => [{ key: data.identityHash }],
  },
  finish: (ports, { data }, context) => finishIdentityClaim(ports, data, context),
})

/**
 * Releases a tag that its account does not have; if the account has it, releases the tag that it replaced. Also registers the bot
 * of an application that was created with the tag.
 */
async function finishHandleClaim(
  needs: FinishingNeeds,
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
async function finishAddressClaim(
  needs: FinishingNeeds,
  { addressHash, accountId, replaces }: EmailAddressClaimed | EmailAddressAwaited,
  context: CommandContext,
): Promise<void> {
  await holdingAddress(needs, accountId, async () => {
    const { state } = await needs.aggregates.account.load(accountId)
    const isItsAddress =
      state.status === 'registered' && state.email !== null && needs.addressHash(state.email) === addressHash
    if (!isItsAddress) await releaseAddress(needs, addressHash, accountId, context)
    else if (replaces !== undefined) {
      await tellEarlierAddress(needs, state, replaces, context)
      await releaseAddress(needs, replaces, accountId, context)
    }
  })
}

/** Returns the use of a registration URL if no account was registered by it. */
async function finishUrlUse(
  needs: FinishingNeeds,
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
async function finishIdentityClaim(
  needs: FinishingNeeds,
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

interface AddressOfAccount {
  readonly addressHash: string
  readonly accountId: AccountId
}

/** Two accounts may have one address, so an address that is given up is named with its account. */
function addressOf({ addressHash, accountId }: AddressOfAccount): string {
  return `${addressHash} ${accountId}`
}

/** What ends the claim of an address, besides its release. */
function addressEnd({ accountId, replaces }: EmailAddressClaimed | EmailAddressAwaited): DependsOn {
  return replaces === undefined ? { accountId } : { replaced: addressOf({ addressHash: replaces, accountId }) }
}

function tagOf({ username, discriminator }: { readonly username: string; readonly discriminator: number }): string {
  return `${username.toLowerCase()}#${discriminator}`
}
