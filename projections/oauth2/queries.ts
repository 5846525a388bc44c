import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  AuthorizationRecord,
  OAuth2Queries,
  OAuth2TokenRecord,
} from '../../application/ports/queries/oauth2-queries.ts'
import { scopes } from '../../domain/oauth2-authorization/scopes.ts'
import { accountIdColumn, applicationIdColumn, instantColumn } from '../columns.ts'

/** `authorizationsOf` gives this many at most. */
const listedAuthorizations_max = 1000

const scopesColumn = z.array(z.enum(scopes))

const tokenRow = z
  .object({
    kind: z.enum(['access', 'refresh']),
    account_id: accountIdColumn,
    application_id: applicationIdColumn,
    session_hash: z.string().nullable(),
    scopes: scopesColumn,
    issued_at: instantColumn,
    expires_at: instantColumn,
    delegation_version: z.int(),
  })
  .transform((row): OAuth2TokenRecord => ({
    kind: row.kind,
    accountId: row.account_id,
    applicationId: row.application_id,
    sessionHash: row.session_hash,
    scopes: row.scopes,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    delegationVersion: row.delegation_version,
  }))

const authorizationRow = z
  .object({ application_id: applicationIdColumn, scopes: scopesColumn, authorized_at: instantColumn })
  .transform((row): AuthorizationRecord => ({
    applicationId: row.application_id,
    scopes: row.scopes,
    authorizedAt: row.authorized_at,
  }))

const tokenColumns = sql.fragment`
  kind, account_id, application_id, session_hash, scopes, issued_at, expires_at, delegation_version`

/** Queries over authorisations and their tokens. */
export function oauth2Queries(database: Queries): OAuth2Queries {
  return {
    token: (tokenHash) =>
      database.maybeOne(sql.type(tokenRow)`
        select ${tokenColumns}
        from oauth2.tokens where token_hash = ${tokenHash}`),
    family: (familyHash) =>
      database.maybeOne(sql.type(tokenRow)`
        select ${tokenColumns}
        from oauth2.tokens where family_hash = ${familyHash} limit 1`),
    authorization: (account, application) =>
      database.maybeOne(sql.type(authorizationRow)`
        select application_id, scopes, authorized_at from oauth2.authorizations
        where account_id = ${account.id} and application_id = ${application}
          and delegation_version = ${account.delegationVersion}`),
    authorizationsOf: (account) =>
      database.any(sql.type(authorizationRow)`
        select application_id, scopes, authorized_at from oauth2.authorizations
        where account_id = ${account.id} and delegation_version = ${account.delegationVersion}
        order by application_id limit ${listedAuthorizations_max}`),
  }
}
