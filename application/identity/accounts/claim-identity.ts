import type { ClaimAddress } from '../../../domain/email-address/commands.ts'
import { waiting_max } from '../../../domain/email-address/email-address.ts'
import type { EmailAddressState } from '../../../domain/email-address/state.ts'
import type { ClaimHandle } from '../../../domain/handle/commands.ts'
import { discriminatorsOf } from '../../../domain/handle/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject, Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/** A tag that an account holds. Nobody else has the same username and discriminator. */
export interface ClaimedTag {
  readonly username: string
  /** 0-9999; 0 if it was chosen, or where usernames alone are unique. */
  readonly discriminator: number
}

type Needs = Pick<Ports, 'aggregates'>

/**
 * Claims an e-mail address for an account. `replaces`: the hash of its previous address, which must be released once the account
 * has the new one; if this process dies, a process manager releases it. Refuses with EMAIL_ALREADY_IN_USE on `email`.
 */
export async function claimAddress(
  { aggregates }: Needs,
  addressHash: string,
  accountId: AccountId,
  context: CommandContext,
  replaces?: string,
): Promise<void> {
  const state = await sendClaim({ aggregates }, { addressHash, accountId, ...replacing(replaces) }, context)
  // An earlier try of this command claimed the address, and it was released since.
  if (state.status !== 'held' || state.accountId !== accountId) reject('CONFLICT')
}

/**
 * Claims an e-mail address that an administrator gives to an account. If another account holds it, the account waits, and takes
 * the claim once it is free; while `waiting_max` wait, it does not. Refuses with CONFLICT if the account has lost the claim since.
 */
export async function claimOrAwaitAddress(
  needs: Needs,
  addressHash: string,
  accountId: AccountId,
  context: CommandContext,
  replaces?: string,
): Promise<void> {
  const state = await sendClaim(needs, { addressHash, accountId, ...replacing(replaces), orWaits: true }, context)
  const { waiting } = state
  const waits = waiting.includes(accountId) || waiting.length >= waiting_max
  if (state.status !== 'held' || (state.accountId !== accountId && !waits)) reject('CONFLICT')
}

function replacing(replaces: string | undefined): Pick<ClaimAddress, 'replaces'> {
  return replaces === undefined ? {} : { replaces }
}

async function sendClaim(
  { aggregates }: Needs,
  claim: Omit<ClaimAddress, 'type'>,
  context: CommandContext,
): Promise<EmailAddressState> {
  const { state } = await aggregates.emailAddress.execute(
    claim.addressHash,
    { type: 'ClaimAddress', ...claim },
    context,
  )
  return state
}

/** The terms of a claim: the wanted discriminator, and the tag that it replaces. */
type ClaimTerms = Pick<ClaimHandle, 'alone' | 'wish' | 'replaces'>

/**
 * Claims the first of some usernames that has a free discriminator or, where usernames alone are unique, that is free.
 * A bot always has a discriminator. Refuses with TOO_MANY_USERS_WITH_THIS_USERNAME or USERNAME_ALREADY_TAKEN, and with
 * TAG_ALREADY_TAKEN if only the wanted discriminator will do.
 */
export async function claimTag(
  needs: Needs & Pick<Ports, 'instancePolicies'>,
  usernames: readonly string[],
  accountId: AccountId,
  context: CommandContext,
  { forBot = false, ...terms }: Pick<ClaimTerms, 'wish' | 'replaces'> & { readonly forBot?: boolean } = {},
): Promise<ClaimedTag> {
  const { accountIdentity } = await needs.instancePolicies.current()
  const alone = accountIdentity.tagStyle === 'none' && !forBot
  return claimFirst(needs, usernames, accountId, context, { ...terms, alone })
}

async function claimFirst(
  needs: Needs,
  usernames: readonly string[],
  accountId: AccountId,
  context: CommandContext,
  terms: ClaimTerms,
): Promise<ClaimedTag> {
  const [username, ...others] = usernames
  if (username === undefined) return reject('CONFLICT')
  try {
    return await claimUsername(needs, username, accountId, context, terms)
  } catch (error) {
    if (!(error instanceof Refused) || others.length === 0) throw error
    return claimFirst(needs, others, accountId, context, terms)
  }
}

async function claimUsername(
  { aggregates }: Needs,
  username: string,
  accountId: AccountId,
  context: CommandContext,
  terms: ClaimTerms,
): Promise<ClaimedTag> {
  const claim = { type: 'ClaimHandle', username, accountId, roll: roll(context), ...terms } as const
  const { state } = await aggregates.handle.execute(username.toLowerCase(), claim, context)
  const held = discriminatorsOf(state, accountId)
  const { replaces, wish } = terms
  const old = replaces?.username.toLowerCase() === username.toLowerCase() ? replaces.discriminator : undefined
  const gained = held.filter((each) => each !== old)
  const discriminator = gained.find((each) => each === wish?.discriminator) ?? gained[0] ?? held[0]
  return discriminator === undefined ? reject('CONFLICT') : { username, discriminator }
}

/** A random number from 0 up to, but not including, 1. */
function roll(context: CommandContext): number {
  return Buffer.from(context.randomBytes(4)).readUInt32BE() / 2 ** 32
}

/** Releases an address that an account holds or waits for; does nothing if it no longer does. */
export async function releaseAddress(
  { aggregates }: Needs,
  addressHash: string,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  await aggregates.emailAddress.execute(addressHash, { type: 'ReleaseAddress', addressHash, accountId }, context)
}

/** Releases an account's tag, or without a discriminator everything that the account holds of a username. */
export async function releaseTag(
  { aggregates }: Needs,
  { username, discriminator }: { readonly username: string; readonly discriminator?: number },
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  const which = discriminator === undefined ? {} : { discriminator }
  await aggregates.handle.execute(username.toLowerCase(), { type: 'ReleaseHandle', accountId, ...which }, context)
}
