import { parseUsername } from '../../../domain/account/names.js'
import type { Account } from '../../../domain/account/state.js'
import { discriminatorsOf, noDiscriminator } from '../../../domain/handle/state.js'
import type { InstancePolicy } from '../../../domain/instance/policy.js'
import { field } from '../../../domain/kernel/refusal.js'
import { claimTag, releaseTag } from '../accounts/claim-identity.js'
import type { CommandContext } from '../../commands/command-context.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'
import type { AccountPatch } from './account-patch.js'
import { chargeChange } from './change-allowances.js'

/** The new tag that an account asks for. */
export interface TagWish {
  readonly username: string
  /** Null for any. */
  readonly discriminator: number | null
}

/** The requested tag; undefined if the account has it already. Refuses an invalid username with INVALID_FORM_BODY. */
export function wishedTag(account: Account, patch: AccountPatch, serviceName: string): TagWish | undefined {
  const username = usernameOf(account, patch, serviceName)
  const isRenamed = username !== account.username
  const discriminator = patch.discriminator ?? null
  if (!isRenamed && (discriminator === null || discriminator === account.discriminator)) return undefined
  return { username, discriminator }
}

function usernameOf(account: Account, { username }: AccountPatch, serviceName: string): string {
  if (username === undefined || username.trim() === account.username) return account.username
  const parsed = parseUsername(username, serviceName)
  return parsed.ok ? parsed.value : reject('INVALID_FORM_BODY', field('username', parsed.code))
}

/**
 * Checks a change of tag. Refuses with INVALID_FORM_BODY with DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE for any discriminator but 0
 * where usernames alone are unique, CHANGING_DISCRIMINATOR_REQUIRES_PREMIUM for a change of the discriminator alone by an account
 * that may not choose it, DISCRIMINATOR_OUT_OF_RANGE for 0 elsewhere, and USERNAME_CHANGED_TOO_MANY_TIMES.
 */
export async function requireTagChange(
  ports: Pick<Ports, 'allowances' | 'instance' | 'instancePolicies' | 'limits'>,
  account: Account,
  { username, discriminator }: TagWish,
): Promise<void> {
  const policy = await ports.instancePolicies.current()
  const { accountIdentity } = policy
  if (accountIdentity.tagStyle === 'none' && discriminator !== null && discriminator !== noDiscriminator) {
    reject('INVALID_FORM_BODY', field('discriminator', 'DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE'))
  }
  const isOther = discriminator !== null && discriminator !== account.discriminator
  if (isOther && isNameOf(account, username) && !(await mayChoose(ports, account, policy))) {
    reject('INVALID_FORM_BODY', field('discriminator', 'CHANGING_DISCRIMINATOR_REQUIRES_PREMIUM'))
  }
  if (discriminator === noDiscriminator && accountIdentity.tagStyle !== 'none')
    reject('INVALID_FORM_BODY', field('discriminator', 'DISCRIMINATOR_OUT_OF_RANGE'))
  await chargeChange(ports, 'tag', account.id, 'username')
}

/**
 * Whether an account may choose its discriminator: everybody on a self-hosted instance in premium mode `everyone`, and accounts
 * with `feature_custom_discriminator` (contract part 3, Change user username). Nobody where usernames alone are unique.
 */
async function mayChoose(
  { instance, limits }: Pick<Ports, 'instance' | 'limits'>,
  account: Account,
  { accountIdentity, premium }: Pick<InstancePolicy, 'accountIdentity' | 'premium'>,
): Promise<boolean> {
  if (accountIdentity.tagStyle === 'none') return false
  if (!instance.hosted && premium.mode === 'everyone') return true
  return (await limits.ofAccount(account)).feature_custom_discriminator > 0
}

/**
 * Changes an account's tag: claims the new one first and releases the old one last. If the process dies in between, a process
 * manager releases the tag that the account does not have. Refuses with INVALID_FORM_BODY with TAG_ALREADY_TAKEN,
 * TOO_MANY_USERS_WITH_THIS_USERNAME or USERNAME_ALREADY_TAKEN, and with CONFLICT while another change is in progress. Reference
 * identity 6.2.
 */
export async function changeOwnTag(
  ports: Pick<Ports, 'aggregates' | 'instancePolicies'>,
  account: Account,
  wish: TagWish,
  context: CommandContext,
): Promise<void> {
  const { username } = wish
  const from = { username: account.username, discriminator: account.discriminator }
  const isSame = isNameOf(account, username) && (wish.discriminator ?? account.discriminator) === account.discriminator
  const discriminator = isSame ? account.discriminator : await claim(ports, account, wish, context)
  await ports.aggregates.account.execute(account.id, { type: 'ChangeTag', username, discriminator, from }, context)
  if (!isSame) await releaseTag(ports, from, account.id, context)
}

/** Whether a username is the account's own; the case of letters does not matter. */
function isNameOf(account: Account, username: string): boolean {
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
  const wish =
    discriminator === null
      ? ({ discriminator: account.discriminator, otherwise: 'roll' } as const)
      : ({ discriminator, otherwise: 'refuse' } as const)
  const replaces = { username: account.username, discriminator: account.discriminator }
  const claimed = await claimTag(ports, [username], account.id, context, {
    wish,
    replaces,
    forBot: account.bot,
  })
  // Another change was faster.
  if (discriminator !== null && claimed.discriminator !== discriminator) reject('CONFLICT')
  return claimed.discriminator
}
