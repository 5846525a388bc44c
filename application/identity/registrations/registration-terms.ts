import type { RegistrationUrlId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { RegistrationPolicy } from '../../../domain/instance/policy.ts'
import type { Ports } from '../../ports.ts'
import { openedUrl } from './use-registration-url.ts'

/** The terms of an account's registration. */
export interface RegistrationTerms {
  /** Whether an operator must approve it first. */
  readonly awaitsApproval: boolean
  /** The registration URL to take a use of; null for none. */
  readonly registrationUrlId: RegistrationUrlId | null
}

/**
 * The current terms of registration, for every way to register. A registration URL works on a closed instance too, and
 * itself says whether approval is needed. Refuses with REGISTRATION_URL_INVALID, also on instances that do not accept
 * URLs, and with REGISTRATION_CLOSED. See rules/credentials#register.
 */
export async function registrationTerms(
  ports: Pick<Ports, 'aggregates' | 'queries'>,
  { mode, urlsEnabled }: RegistrationPolicy,
  urlCode: string | null,
  context: CommandContext,
): Promise<RegistrationTerms> {
  if (urlCode !== null) {
    if (!urlsEnabled) return reject('REGISTRATION_URL_INVALID')
    const { id, approvalRequired } = await openedUrl(ports, urlCode, context)
    return { awaitsApproval: approvalRequired, registrationUrlId: id }
  }
  if (mode === 'closed') return reject('REGISTRATION_CLOSED')
  return { awaitsApproval: mode === 'approval', registrationUrlId: null }
}
