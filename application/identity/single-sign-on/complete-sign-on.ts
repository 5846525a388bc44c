import type { FieldCode } from '../../../domain/kernel/field-codes.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { startOwnSession } from '../accounts/start-own-session.ts'
import type { AuthToken } from '../accounts/start-session.ts'
import type { Requester } from '../../caller.ts'
import { insteadOf, reject } from '../../commands/refused.ts'
import type { SingleSignOnPolicy } from '../../../domain/instance/policy.ts'
import type { OpenIdClient } from '../../ports/openid-provider.ts'
import type { Ports } from '../../ports.ts'
import { accountOfPerson, type AccountOfPersonNeeds } from './account-of-person.ts'
import { admittedPerson } from './admitted-person.ts'
import { clientIn } from './sign-on-policy.ts'
import { signOnState, type SignOnState } from './sign-on-state.ts'

/** What the provider returned through the browser. */
export interface SignOnAnswer {
  readonly code: string
  readonly state: string
}

/** What a client gets of a finished sign-on: the token, and where to go on. */
export interface CompletedSignOn extends AuthToken {
  /** A path on the client's own site; empty for none. */
  readonly redirect_to: string
}

type Needs = AccountOfPersonNeeds & Pick<Ports, 'instancePolicies' | 'openIdProvider' | 'tickets'>

/**
 * Signs in the person that the provider vouches for. Asking for a second factor is up to the provider. The state works
 * once, even if this refuses. Refuses with INVALID_FORM_BODY with INVALID_OR_EXPIRED_SSO_STATE on `state`, and on
 * `code` with the codes of `OpenIdProvider.redeem` and of `admittedPerson`; and as `accountOfPerson` and StartSession.
 * See rules/credentials#single-sign-on.
 */
export function completeSignOn(ports: Needs) {
  return async (requester: Requester, { code, state }: SignOnAnswer): Promise<CompletedSignOn> => {
    const begun = await ports.tickets.take(signOnState, state)
    if (!begun) return refuse('state', 'INVALID_OR_EXPIRED_SSO_STATE')
    const { singleSignOn: policy } = await ports.instancePolicies.current()
    const identity = await ports.openIdProvider.redeem(clientOf(policy, begun), { ...begun, code })
    if (!identity.ok) return refuse('code', identity.code)
    const person = admittedPerson(identity.value, policy)
    const account = await accountOfPerson(ports, requester, person)
    // Unlinked since the provider vouched: the next sign-on finds the account as it is then.
    const answer = await startOwnSession(ports, requester, account).catch(
      insteadOf('UNAUTHORIZED', () => refuse('state', 'INVALID_OR_EXPIRED_SSO_STATE')),
    )
    return { ...answer, redirect_to: begun.redirectTo }
  }
}

/** A sign-on begun with another provider cannot end with this one. */
function clientOf(policy: SingleSignOnPolicy, begun: SignOnState): OpenIdClient {
  const client = clientIn(policy)
  if (!client) return refuse('code', 'SSO_MISCONFIGURED')
  const isTheSame = client.issuer === begun.issuer && client.clientId === begun.clientId
  return isTheSame ? client : refuse('state', 'INVALID_OR_EXPIRED_SSO_STATE')
}

function refuse(path: keyof SignOnAnswer, code: FieldCode): never {
  return reject('INVALID_FORM_BODY', field(path, code))
}
