import { authorizationId, type AccountId, type ApplicationId } from '../../../domain/ids/ids.ts'
import type { Scope } from '../../../domain/oauth2-authorization/scopes.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'
import { ticketKind } from '../../secrets/ticket-kind.ts'
import type { ProofKeyChallenge } from './proof-key.ts'
import { accessToken_s, authorizationCode_s } from './token-lifetimes.ts'

/** What an authorisation code grants, and what its exchange must match. */
export interface CodeGrant {
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  readonly scopes: readonly Scope[]
  readonly redirectUri: string
  readonly proofKey: ProofKeyChallenge | null
  /** The account's; absent in codes that were issued before there was one. */
  readonly delegationVersion?: number
  /** The session that the tokens end with, by the hash of its token. Absent if they end with none. */
  readonly sessionHash?: string
  /** The command that used the code; null while it is unused. */
  readonly usedBy: string | null
}

export const authorizationCode = ticketKind<CodeGrant>('oauth2 authorization code, used once')

/** A new code: ten minutes, one use. */
export function issueCode({ tickets }: Pick<Ports, 'tickets'>, grant: Omit<CodeGrant, 'usedBy'>): Promise<string> {
  return tickets.issue(authorizationCode, { ...grant, usedBy: null }, authorizationCode_s, subjectOf(grant))
}

/**
 * Uses a code up, and gives its grant; undefined for an unknown code. `usedBy` tells whether this command was the first. A used
 * code is kept as long as an access token lives, so that a second use is noticed.
 */
export function useCode(
  { tickets }: Pick<Ports, 'tickets'>,
  code: string,
  { commandId }: CommandContext,
): Promise<CodeGrant | undefined> {
  const used = (grant: CodeGrant): CodeGrant => (grant.usedBy === null ? { ...grant, usedBy: commandId } : grant)
  return tickets.change(authorizationCode, code, used, accessToken_s)
}

/** Revokes the unused codes that an account has given to an application. */
export function endCodes(
  { tickets }: Pick<Ports, 'tickets'>,
  parties: Pick<CodeGrant, 'accountId' | 'applicationId'>,
): Promise<void> {
  return tickets.revokeAll(authorizationCode, subjectOf(parties))
}

const subjectOf = ({ accountId, applicationId }: Pick<CodeGrant, 'accountId' | 'applicationId'>): string =>
  authorizationId(accountId, applicationId)
