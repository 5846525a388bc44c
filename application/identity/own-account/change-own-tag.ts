import { parseUsername } from '../../../domain/account/names.ts'
import type { Account } from '../../../domain/account/state.ts'
import { noDiscriminator } from '../../../domain/handle/state.ts'
import type { InstancePolicy } from '../../../domain/instance/policy.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { isNameOf, type TagWish } from '../accounts/change-tag.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { AccountPatch } from './account-patch.ts'
import { chargeChange } from './change-allowances.ts'

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
 * that may not choose it, and USERNAME_CHANGED_TOO_MANY_TIMES.
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
  await chargeChange(ports, 'tag', account.id, 'username')
}

/** Whether an account's username is unique alone. A bot always has a discriminator. */
export function hasUniqueUsername(
  { bot }: Pick<Account, 'bot'>,
  { accountIdentity }: Pick<InstancePolicy, 'accountIdentity'>,
): boolean {
  return accountIdentity.tagStyle === 'none' && !bot
}

/**
 * Whether an account may choose its discriminator: everybody on a self-hosted instance in premium mode `everyone`, and
 * accounts with `feature_custom_discriminator`. Nobody whose username is unique alone.
 */
export async function mayChoose(
  { instance, limits }: Pick<Ports, 'instance' | 'limits'>,
  account: Account,
  policy: Pick<InstancePolicy, 'accountIdentity' | 'premium'>,
): Promise<boolean> {
  const { premium } = policy
  if (hasUniqueUsername(account, policy)) return false
  if (!instance.hosted && premium.mode === 'everyone') return true
  return (await limits.ofAccount(account)).feature_custom_discriminator > 0
}
