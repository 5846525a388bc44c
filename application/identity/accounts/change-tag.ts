import type { Account } from '../../../domain/account/state.ts'
import type { DiscriminatorWish } from '../../../domain/handle/commands.ts'
import { discriminatorsOf, noDiscriminator } from '../../../domain/handle/state.ts'
import type { InstancePolicy } from '../../../domain/instance/policy.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { claimTag, releaseTag, type ClaimedTag } from './claim-identity.ts'

/** The new tag that is asked for. */
export interface TagWish {
  readonly username: string
  /** Null for any. */
  readonly discriminator: number | null
}

type TagStyle = InstancePolicy['accountIdentity']['tagStyle']

/** What a change of tag needs. */
export type TagNeeds = Pick<Ports, 'aggregates' | 'instancePolicies' | 'locks'>

/**
 * Changes an account's tag and gives the new one: claims it first and releases the old one last. If the process dies in
 * between, a process manager releases the tag that the account does not have. Changes of one account's tag run one at a
 * time. Refuses with INVALID_FORM_BODY with TAG_ALREADY_TAKEN, TOO_MANY_USERS_WITH_THIS_USERNAME or
 * USERNAME_ALREADY_TAKEN, and with CONFLICT if the tag is not that of `account` any more, or while another change is in
 * progress. See rules/users#tags.
 */
export async function changeTag(
  ports: TagNeeds,
  account: Account,
  wish: TagWish,
  context: CommandContext,
): Promise<ClaimedTag> {
  const done = await ports.locks.holding(`tag of ${account.id}`, async () => {
    await requireSameTag(ports, account)
    return change(ports, account, wish, context)
  })
  return done ? done.result : reject('CONFLICT')
}

async function requireSameTag({ aggregates }: TagNeeds, { id, username, discriminator }: Account): Promise<void> {
  const { state } = await aggregates.account.load(id)
  if (state.status !== 'registered') reject('UNKNOWN_USER')
  else if (state.username !== username || state.discriminator !== discriminator) reject('CONFLICT')
}

async function change(ports: TagNeeds, account: Account, wish: TagWish, context: CommandContext): Promise<ClaimedTag> {
  const { username } = wish
  const from = { username: account.username, discriminator: account.discriminator }
  const isSame = isNameOf(account, username) && !(await takesOther(ports, account, wish))
  const discriminator = isSame ? account.discriminator : await claim(ports, account, wish, context)
  await ports.aggregates.account.execute(account.id, { type: 'ChangeTag', username, discriminator, from }, context)
  if (!isSame) await releaseTag(ports, from, account.id, context)
  return { username, discriminator }
}

/**
 * Whether a tag with the wanted discriminator is not the account's. An account whose bot status changed may have a tag of the
 * other kind on an instance without discriminators: the next change of its tag gives it one of its own kind.
 */
async function takesOther(ports: TagNeeds, account: Account, { discriminator }: TagWish): Promise<boolean> {
  if (discriminator !== null && discriminator !== account.discriminator) return true
  const { accountIdentity } = await ports.instancePolicies.current()
  return isOfOtherKind(account, accountIdentity.tagStyle)
}

/** On an instance without discriminators, a person has 0 and a bot has another. */
function isOfOtherKind({ bot, discriminator }: Account, tagStyle: TagStyle): boolean {
  return tagStyle === 'none' && bot === (discriminator === noDiscriminator)
}

/** Whether a username is the account's own; the case of letters does not matter. */
export function isNameOf(account: Account, username: string): boolean {
  return account.username.toLowerCase() === username.toLowerCase()
}

/** Keeps the account's discriminator if possible. */
async function claim(
  ports: Pick<Ports, 'aggregates' | 'instancePolicies'>,
  account: Account,
  { username, discriminator }: TagWish,
  context: CommandContext,
): Promise<number> {
  const { state } = await ports.aggregates.handle.load(username.toLowerCase())
  const own = isNameOf(account, username) ? [account.discriminator] : []
  // A tag that another change has claimed or is about to release cannot be used.
  if (discriminatorsOf(state, account.id).some((held) => !own.includes(held))) reject('CONFLICT')
  const replaces = { username: account.username, discriminator: account.discriminator }
  const { accountIdentity } = await ports.instancePolicies.current()
  const terms = { ...wishOf(account, discriminator, accountIdentity.tagStyle), replaces, forBot: account.bot }
  const claimed = await claimTag(ports, [username], account.id, context, terms)
  // Another change was faster.
  if (discriminator !== null && claimed.discriminator !== discriminator) reject('CONFLICT')
  return claimed.discriminator
}

/** An account whose discriminator is of the other kind gets any. */
function wishOf(account: Account, wanted: number | null, tagStyle: TagStyle): { readonly wish?: DiscriminatorWish } {
  if (wanted !== null) return { wish: { discriminator: wanted, otherwise: 'refuse' } }
  const { discriminator } = account
  return isOfOtherKind(account, tagStyle) ? {} : { wish: { discriminator, otherwise: 'roll' } }
}
