import type { ClaimHandle } from '../../../domain/handle/commands.js'
import { discriminatorsOf } from '../../../domain/handle/state.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import { reject, Refused } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

/** A tag that an account holds: nobody else has the two together. */
export interface ClaimedTag {
  readonly username: string
  /** 1-9999; 0 where usernames are unique alone. */
  readonly discriminator: number
}

type Needs = Pick<Ports, 'aggregates'>

/**
 * Takes an e-mail address for an account. `replaces`: the hash of the address that it gives up for it, to be released once it
 * has the new one; a process manager does so where this process dies. Refuses with EMAIL_ALREADY_IN_USE on `email`.
 */
export async function claimAddress(
  { aggregates }: Needs,
  addressHash: string,
  accountId: AccountId,
  context: CommandContext,
  replaces?: string,
): Promise<void> {
  const address = { addressHash, accountId } as const
  const claim = { type: 'ClaimAddress', ...address, ...(replaces === undefined ? {} : { replaces }) } as const
  const { state } = await aggregates.emailAddress.execute(addressHash, claim, context)
  // An earlier try of this command claimed it, and released it since.
  if (state.status !== 'held' || state.accountId !== accountId) reject('CONFLICT')
}

/** What a tag is claimed for: which discriminator is wanted, and the tag that it takes the place of. */
type ClaimTerms = Pick<ClaimHandle, 'alone' | 'wish' | 'replaces'>

/**
 * Takes the first of some usernames that has a free discriminator, or that nobody has where the instance's usernames are unique
 * alone; a bot has a discriminator everywhere (contract part 3, Admin user object). Refuses with TOO_MANY_USERS_WITH_THIS_USERNAME or USERNAME_ALREADY_TAKEN, and with TAG_ALREADY_TAKEN where no other
 * discriminator will do.
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
  const discriminator = held.find((each) => each === terms.wish?.discriminator) ?? held[0]
  return discriminator === undefined ? reject('CONFLICT') : { username, discriminator }
}

/** Chance, from 0 up to but not including 1. */
function roll(context: CommandContext): number {
  return Buffer.from(context.randomBytes(4)).readUInt32BE() / 2 ** 32
}

/** Frees an address that an account holds; nothing happens where it holds it no more. */
export async function releaseAddress(
  { aggregates }: Needs,
  addressHash: string,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  await aggregates.emailAddress.execute(addressHash, { type: 'ReleaseAddress', accountId }, context)
}

/** Frees the tag that an account holds, or whatever it holds of a username where no discriminator is given. */
export async function releaseTag(
  { aggregates }: Needs,
  { username, discriminator }: { readonly username: string; readonly discriminator?: number },
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  const which = discriminator === undefined ? {} : { discriminator }
  await aggregates.handle.execute(username.toLowerCase(), { type: 'ReleaseHandle', accountId, ...which }, context)
}
