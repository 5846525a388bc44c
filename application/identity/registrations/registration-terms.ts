import type { RegistrationUrlId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import { reject } from '../../commands/refused.js'
import type { RegistrationPolicy } from '../../../domain/instance/policy.js'
import type { Ports } from '../../ports.js'
import { openedUrl } from './use-registration-url.js'

/** On which terms an account comes to be on the instance. */
export interface RegistrationTerms {
  /** Whether it waits until an operator lets it in. */
  readonly awaitsApproval: boolean
  /** Of which a use is to be taken; null for none. */
  readonly registrationUrlId: RegistrationUrlId | null
}

/**
 * The terms on which somebody may register now, whichever way they come. A registration URL opens an instance that is closed,
 * and says for itself whether approval is needed. Refuses with REGISTRATION_URL_INVALID, also where URLs are not honoured, and
 * with REGISTRATION_CLOSED. Reference identity 4.3.
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
