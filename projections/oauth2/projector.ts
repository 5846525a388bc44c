import type { AccountEvent } from '../../domain/account/events.ts'
import type { ApplicationEvent } from '../../domain/application/events.ts'
import type { AccountId, ApplicationId } from '../../domain/ids/ids.ts'
import type { OAuth2AuthorizationEvent, OAuth2TokensIssued } from '../../domain/oauth2-authorization/events.ts'
import { projection, put, remove, removeWhere, type Row, type RowChange } from '../runner/projection.ts'

type Events = OAuth2AuthorizationEvent | ApplicationEvent | AccountEvent

/** The authorisations of applications by accounts, and their OAuth2 tokens. */
export const oauth2Projection = projection<Events>({
  name: 'oauth2',
  answers: 'What accounts let applications do, and whose an OAuth2 token is.',
  version: 5,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { authorizations: ['account_id', 'application_id'], tokens: ['token_hash'] },
  on: {
    ApplicationAuthorized: ({ data }) => [
      put('authorizations', {
        ...partiesOf(data),
        scopes: data.scopes,
        authorized_at: data.authorizedAt,
        delegation_version: data.delegationVersion ?? 0,
      }),
    ],
    OAuth2TokensIssued: ({ data }) => issued(data),
    OAuth2TokensRefreshed: ({ data }) => [ended(data.presentedTokenHash), ...issued(data)],
    TokenFamilyEnded: ({ data }) => data.endedTokenHashes.map(ended),
    AuthorizationRevoked: ({ data }) => allOf(partiesOf(data)),
    ApplicationDeleted: ({ data }) => allOf({ application_id: data.applicationId }),
    // Tokens that were issued in a race with the schedule end when it is cancelled: until then they do not work.
    AccountDeletionScheduled: ({ data }) => [tokensOf(data)],
    AccountDeletionCancelled: ({ data }) => [tokensOf(data)],
    // Readers compare the versions, as a request in progress may still authorise under the earlier one. This removes what is void.
    DelegationsEnded: ({ data }) => allOf({ account_id: data.accountId }),
    AccountErasureStarted: ({ data }) => allOf({ account_id: data.accountId }),
  },
})

function issued(data: OAuth2TokensIssued): readonly RowChange[] {
  const { scopes, familyHash = null, sessionHash = null, issuedAt, delegationVersion = 0 } = data
  const common = {
    ...partiesOf(data),
    scopes,
    family_hash: familyHash,
    session_hash: sessionHash,
    issued_at: issuedAt,
    delegation_version: delegationVersion,
  }
  return [
    ...data.endedTokenHashes.map(ended),
    put('tokens', { ...common, token_hash: data.accessTokenHash, kind: 'access', expires_at: data.accessExpiresAt }),
    put('tokens', { ...common, token_hash: data.refreshTokenHash, kind: 'refresh', expires_at: data.refreshExpiresAt }),
  ]
}

function ended(tokenHash: string): RowChange {
  return remove('tokens', { token_hash: tokenHash })
}

function allOf(parties: Row): readonly RowChange[] {
  return [removeWhere('tokens', parties), removeWhere('authorizations', parties)]
}

/** The consents stay. */
function tokensOf({ accountId }: { readonly accountId: AccountId }): RowChange {
  return removeWhere('tokens', { account_id: accountId })
}

function partiesOf(data: { readonly accountId: AccountId; readonly applicationId: ApplicationId }) {
  return { account_id: data.accountId, application_id: data.applicationId }
}
