import type { Account, SingleSignOnLink } from '../../../domain/account/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { pauseAfterConflict } from '../../aggregates/pause-after-conflict.ts'
import type { Requester } from '../../caller.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject, Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { AdmittedPerson } from './admitted-person.ts'
import { holdingAddress } from '../accounts/holding-address.ts'
import { claimIdentity, releaseIdentity, releaseLost } from './claim-identity.ts'
import { provisionAccount, type ProvisionNeeds } from './provision-account.ts'

export type AccountOfPersonNeeds = ProvisionNeeds & Pick<Ports, 'identityHash'>

/** How often a sign-in retries after it meets another one of the same person. */
const attempts_max = 16

/**
 * The account of a person that the provider vouches for: the one linked to their identity; else the one with their
 * address, which is then linked; else a new one. Refuses with INVALID_FORM_BODY with SSO_IDENTITY_MISMATCH on `code` if
 * the account with the address is linked to somebody else, or the provider has not verified the address; as
 * `provisionAccount`; as `LinkSingleSignOn`; and with CONFLICT if another sign-in of the same person does not finish.
 * See rules/credentials#single-sign-on.
 */
export async function accountOfPerson(
  ports: AccountOfPersonNeeds,
  requester: Requester,
  person: AdmittedPerson,
): Promise<Account> {
  const { issuer, subject } = person
  const link = { issuer, identityHash: ports.identityHash(issuer, subject) }
  for (let attempt = 1; attempt <= attempts_max; attempt += 1) {
    const linked = await linkedAccount(ports, link)
    if (linked !== undefined) return linked
    try {
      await linkAnew(ports, requester, person, link)
    } catch (error) {
      if (!isConflict(error) || !(await isHeld(ports, link))) throw error
      await pauseAfterConflict(attempt + 1)
    }
  }
  return reject('CONFLICT')
}

/** The account linked to an identity. A claimed identity that is not linked yet gives none. */
async function linkedAccount(
  { aggregates }: AccountOfPersonNeeds,
  { identityHash }: SingleSignOnLink,
): Promise<Account | undefined> {
  const { state: identity } = await aggregates.singleSignOnIdentity.load(identityHash)
  if (identity.status === 'free') return undefined
  const { state: account } = await aggregates.account.load(identity.accountId)
  const isLinked =
    account.status === 'registered' && account.singleSignOn.some((link) => link.identityHash === identityHash)
  return isLinked ? account : undefined
}

async function linkAnew(
  ports: AccountOfPersonNeeds,
  requester: Requester,
  person: AdmittedPerson,
  link: SingleSignOnLink,
): Promise<void> {
  const known = await accountOfAddress(ports, person.email)
  await (known ? adopt(ports, requester, known, person, link) : provisionAccount(ports, requester, person, link))
}

async function accountOfAddress(
  { aggregates, addressHash }: AccountOfPersonNeeds,
  email: string,
): Promise<Account | undefined> {
  const { state: address } = await aggregates.emailAddress.load(addressHash(email))
  if (address.status === 'free') return undefined
  const { state: account } = await aggregates.account.load(address.accountId)
  return account.status === 'registered' && account.email === email ? account : undefined
}

/**
 * Claims the identity first. If linking is refused, releases it; if the process dies, a process manager does. Identities that the
 * account loses are released last.
 */
async function adopt(
  ports: AccountOfPersonNeeds,
  requester: Requester,
  { id: accountId }: Account,
  { email, emailVerified }: AdmittedPerson,
  link: SingleSignOnLink,
): Promise<void> {
  if (!emailVerified) return reject('INVALID_FORM_BODY', field('code', 'SSO_IDENTITY_MISMATCH'))
  const context = contextWith(requester.context, { actor: { kind: 'account', id: accountId } })
  const command = { type: 'LinkSingleSignOn', ...link, email, now: context.now } as const
  await holdingAddress(ports, accountId, async () => {
    const { state: before } = await ports.aggregates.account.load(accountId)
    await claimIdentity(ports, link.identityHash, accountId, context)
    try {
      const { state: after } = await ports.aggregates.account.execute(accountId, command, context)
      await releaseLost(ports, accountId, { before, after }, context)
    } catch (error) {
      if (error instanceof Refused) await releaseIdentity(ports, link.identityHash, accountId, context)
      throw error
    }
  })
}

function isConflict(error: unknown): boolean {
  return error instanceof Refused && error.refusal.code === 'CONFLICT'
}

async function isHeld({ aggregates }: AccountOfPersonNeeds, { identityHash }: SingleSignOnLink): Promise<boolean> {
  const { state } = await aggregates.singleSignOnIdentity.load(identityHash)
  return state.status === 'held'
}
