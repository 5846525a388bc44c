import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import type { Authenticated } from '../authentication/credential.ts'

/**
 * The owner of a bucket (rules/http-and-limits#buckets): the account and its kind of credential, for a bearer also the
 * application. Without an account the client's address, exact for IPv4 and the /64 for IPv6.
 */
export function identityOf(authenticated: Authenticated | undefined, ip: string): string {
  if (!authenticated) return `address ${networkOf(ip, oneClient)}`
  const { account, credential } = authenticated
  const application = credential.kind === 'bearer' ? ` ${credential.applicationId}` : ''
  return `${credential.kind} ${account.id}${application}`
}
