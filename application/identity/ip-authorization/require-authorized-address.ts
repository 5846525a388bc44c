import { hasFlag } from '../../../domain/account/flags.ts'
import type { Account } from '../../../domain/account/state.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import type { Requester } from '../../caller.ts'
import { rejectWith } from '../../commands/refused.ts'
import { resend_s } from '../emailed-codes/emailed-code.ts'
import type { Ports } from '../../ports.ts'
import { ipAuthorization_s, ipAuthorizationTicket, mailIpAuthorization } from './ip-authorization-tickets.ts'

/** The ports that this check needs. */
export type AddressCheckNeeds = Pick<Ports, 'instancePolicies' | 'mail' | 'queries' | 'tickets'>

/**
 * Refuses a sign-in from a new network with 403 IP_AUTHORIZATION_REQUIRED, and mails a token that lets it in. Only on
 * instances that require this and send mail, and not for app store reviewers. See rules/credentials#new-networks.
 */
export async function requireAuthorizedAddress(
  ports: AddressCheckNeeds,
  { ip, userAgent, context }: Requester,
  account: Account,
): Promise<void> {
  const { id: accountId, email, credentialVersion } = account
  const isKnown = account.authorizedNetworks.includes(networkOf(ip, oneClient))
  if (isKnown || email === null || !(await checksAddresses(ports)) || (await isReviewer(ports, account))) return
  const device = { accountId, email, credentialVersion, ip, userAgent }
  const waiting = { ...device, issuedAt: context.now, isResent: false, sessionToken: null, isCompleted: false }
  const ticket = await ports.tickets.issue(ipAuthorizationTicket, waiting, ipAuthorization_s, accountId)
  await mailIpAuthorization(ports, account, waiting, ticket, context)
  rejectWith('IP_AUTHORIZATION_REQUIRED', {
    ip_authorization_required: true,
    ticket,
    email,
    resend_available_in: resend_s,
  })
}

async function checksAddresses({ instancePolicies, mail }: AddressCheckNeeds): Promise<boolean> {
  return mail.canSend && (await instancePolicies.current()).ipAuthorization
}

async function isReviewer({ queries }: AddressCheckNeeds, { id }: Account): Promise<boolean> {
  const record = await queries.accounts.find(id)
  return record !== undefined && hasFlag(record, 'APP_STORE_REVIEWER')
}
