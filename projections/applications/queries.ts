import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  ApplicationQueries,
  ApplicationRecord,
  OwnedApplication,
} from '../../application/ports/queries/application-queries.ts'
import { accountColumns, accountRow } from '../accounts/queries.ts'
import { accountIdColumn, applicationIdColumn, countRow, instantColumn } from '../columns.ts'

const applicationShape = z.object({
  id: applicationIdColumn,
  owner_id: accountIdColumn,
  name: z.string(),
  redirect_uris: z.array(z.string()),
  bot_public: z.boolean(),
  bot_require_code_grant: z.boolean(),
  created_at: instantColumn,
})

const applicationRow = applicationShape.transform(recordOf)

const ownedApplicationRow = applicationShape
  .extend({ bot_token_created_at: instantColumn, client_secret_created_at: instantColumn, version: z.int() })
  .transform((row): OwnedApplication => ({
    ...recordOf(row),
    botTokenCreatedAt: row.bot_token_created_at,
    clientSecretCreatedAt: row.client_secret_created_at,
    version: row.version,
  }))

function recordOf(row: z.output<typeof applicationShape>): ApplicationRecord {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    redirectUris: row.redirect_uris,
    botPublic: row.bot_public,
    botRequireCodeGrant: row.bot_require_code_grant,
    createdAt: row.created_at,
  }
}

/** Named one by one, so that a prepared statement survives the swap to a table with more columns. */
const columns = sql.fragment`id, owner_id, name, redirect_uris, bot_public, bot_require_code_grant, created_at`

/** Queries over the applications read model. */
export function applicationQueries(database: Queries): ApplicationQueries {
  return {
    find: (application) =>
      database.maybeOne(
        sql.type(applicationRow)`select ${columns} from applications.applications where id = ${application}`,
      ),
    findMany: (applications) =>
      database.any(sql.type(applicationRow)`
        select ${columns} from applications.applications where id = any(${sql.array([...applications], 'int8')})`),
    ofOwner: (owner) =>
      database.any(sql.type(ownedApplicationRow)`
        select ${columns}, bot_token_created_at, client_secret_created_at, version
        from applications.applications where owner_id = ${owner} order by id`),
    countOf: (owner) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from applications.applications where owner_id = ${owner}`),
    botByToken: (tokenHash) =>
      database.maybeOne(sql.type(accountRow)`
        select ${accountColumns}
        from applications.applications p join accounts.accounts a on a.id = p.id
          join accounts.accounts owner on owner.id = p.owner_id and owner.delegation_version = p.delegation_version
        where p.bot_token_hash = ${tokenHash}`),
  }
}
