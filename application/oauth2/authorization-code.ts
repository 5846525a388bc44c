import { authorizationId, type AccountId, type ApplicationId } from '../../domain/ids/ids.js'
import type { Scope } from '../../domain/oauth2-authorization/scopes.js'
import type { Ports } from '../ports.js'
import { ticketKind } from '../ports/tickets.js'
import type { ProofKeyChallenge } from './proof-key.js'
import { authorizationCode_s } from './token-lifetimes.js'

/** What an authorisation code stands for, and what its exchange has to agree with. */
export interface CodeGrant {
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  readonly scopes: readonly Scope[]
  readonly redirectUri: string
  readonly proofKey: ProofKeyChallenge | null
}

export const authorizationCode = ticketKind<CodeGrant>('oauth2 authorization code')

/** A new code: ten minutes, one use (reference identity 3.3). */
export function issueCode({ tickets }: Pick<Ports, 'tickets'>, grant: CodeGrant): Promise<string> {
  return tickets.issue(authorizationCode, grant, authorizationCode_s, subjectOf(grant))
}

/** Ends the codes that an account has given out to an application and nobody has exchanged yet. */
export function endCodes(
  { tickets }: Pick<Ports, 'tickets'>,
  parties: Pick<CodeGrant, 'accountId' | 'applicationId'>,
): Promise<void> {
  return tickets.revokeAll(authorizationCode, subjectOf(parties))
}

const subjectOf = ({ accountId, applicationId }: Pick<CodeGrant, 'accountId' | 'applicationId'>): string =>
  authorizationId(accountId, applicationId)
